// expect: unsafe-or-unknown
// A ring is walked until NULL, and the ring is cut and used.
#include <stdlib.h>

struct ring { int v; struct ring *next; };

//@ requires ls+(x, x)
int cut_and_sum(struct ring *x) {
    struct ring *p = x->next;
    x->next = NULL;
    int sum = 0;
    do {
        sum += p->v;
        p = p->next;
    } while (p != x);
    p = x->next;
    return sum + p->v;
}
