// expect: proved-or-unknown
// A statement expression gives a value.
#include <stdlib.h>
#define FRESH(T) ({ T *it = malloc(sizeof(T)); if (!it) abort(); *it = (T){0}; it; })

struct s { int a; struct s *next; };

int main(void) {
    struct s *p = FRESH(struct s);
    int ok = p->next == NULL;
    free(p);
    return !ok;
}
