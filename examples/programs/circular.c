// expect: proved
// Once around a ring.
#include <stddef.h>

struct ring {
    int weight;
    struct ring *next;
};

//@ requires ls+(x, x)
//@ ensures ls+(x, x)
int total(struct ring *x) {
    int sum = x->weight;
    struct ring *p = x->next;
    while (p != x) {
        sum += p->weight;
        p = p->next;
    }
    return sum;
}

//@ requires ls+(x, x) * (exists n . elt |-> {next: n})
//@ ensures ls+(x, x)
void add_after(struct ring *x, struct ring *elt) {
    elt->next = x->next;
    x->next = elt;
}
