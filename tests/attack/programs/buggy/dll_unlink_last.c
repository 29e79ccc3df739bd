// expect: unsafe-or-unknown
// Unlinking the last cell looks behind it.
#include <stdlib.h>

struct d { struct d *next, *prev; };

static void unlink_cell(struct d *c) {
    c->prev->next = c->next;
    c->next->prev = c->prev;
    free(c);
}

int main(void) {
    struct d *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    if (!a || !b) abort();
    a->next = b;
    b->prev = a;
    unlink_cell(b);
    free(a);
    return 0;
}
