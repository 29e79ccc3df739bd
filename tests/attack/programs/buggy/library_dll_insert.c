// expect: unsafe-or-unknown
// The next cell may be NULL.
#include <stdlib.h>

struct d { int v; struct d *next, *prev; };

//@ requires exists z . x != NULL * dll(x, z, NULL, NULL)
void insert_after(struct d *x, int v) {
    struct d *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = v;
    n->prev = x;
    n->next = x->next;
    x->next->prev = n;
    x->next = n;
}
