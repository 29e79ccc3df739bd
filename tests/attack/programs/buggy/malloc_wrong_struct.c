// expect: unsafe-or-unknown
// The size of another struct.
#include <stdlib.h>

struct small { int a; };
struct large { int a; struct large *next; double d; };

int main(void) {
    struct large *l = malloc(sizeof(struct small));
    if (l == NULL) exit(1);
    l->a = 1;
    l->next = NULL;
    free(l);
    return 0;
}
