// expect: unsafe-or-unknown
// free of the address of the second field.
#include <stdlib.h>

struct pair { int a, b; };

int main(void) {
    struct pair *p = malloc(sizeof *p);
    if (!p) return 1;
    free(&p->b);
    return 0;
}
