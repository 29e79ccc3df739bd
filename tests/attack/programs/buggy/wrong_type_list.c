// expect: unsafe-or-unknown
// The next pointer is read through a struct of another layout.
#include <stdlib.h>

struct a { int v; struct a *next; };
struct b { struct b *next; int v; };

int main(void) {
    struct a *x = malloc(sizeof *x);
    if (!x) return 1;
    x->v = 77;
    x->next = NULL;
    struct b *y = (struct b *)x;
    int v = y->next ? y->next->v : 0;
    free(x);
    return v;
}
