// expect: unsafe-or-unknown
// prev still points to a cell that is gone.
#include <stdlib.h>

struct d { struct d *next, *prev; int v; };

int main(void) {
    struct d *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    if (!a || !b) abort();
    a->next = b;
    b->prev = a;
    free(a);
    int v = b->prev ? b->prev->v : 0;
    free(b);
    return v;
}
