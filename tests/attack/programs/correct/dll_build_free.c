// expect: proved-or-unknown
// A doubly-linked list, walked to its end and back.
#include <stdlib.h>

struct d { struct d *next, *prev; int v; };

int main(void) {
    struct d *first = NULL, *last = NULL;
    for (int i = 0; i < 4; i++) {
        struct d *n = malloc(sizeof *n);
        if (!n) abort();
        n->v = i;
        n->next = NULL;
        n->prev = last;
        if (last) last->next = n;
        else first = n;
        last = n;
    }
    int sum = 0;
    for (struct d *p = last; p; p = p->prev) sum += p->v;
    while (first) {
        struct d *t = first->next;
        free(first);
        first = t;
    }
    return sum == 6 ? 0 : 1;
}
