// expect: unsafe-or-unknown
// Two functions free the same cell.
#include <stdlib.h>

struct n { struct n *next; };
static void odd(struct n *p);
static void even(struct n *p) {
    if (!p) return;
    odd(p->next);
    free(p);
}
static void odd(struct n *p) {
    if (!p) return;
    even(p->next);
    free(p);
    if (!p) even(p);
    free(p);
}

int main(void) {
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) abort();
    a->next = b;
    b->next = NULL;
    even(a);
    return 0;
}
