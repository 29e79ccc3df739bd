// expect: proved-or-unknown
// A ring, freed once around.
#include <stdlib.h>

struct r { struct r *next; int v; };

int main(void) {
    struct r *ring = malloc(sizeof *ring);
    if (!ring) return 1;
    ring->v = 0;
    ring->next = ring;
    for (int i = 1; i < 4; i++) {
        struct r *n = malloc(sizeof *n);
        if (!n) abort();
        n->v = i;
        n->next = ring->next;
        ring->next = n;
    }
    struct r *p = ring->next;
    while (p != ring) {
        struct r *t = p->next;
        free(p);
        p = t;
    }
    free(ring);
    return 0;
}
