// expect: unsafe-or-unknown
// circ: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct l {
    struct l *n;
};
int main(void) {
    struct l *h = malloc(sizeof *h);
    h->n = h;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++) {
        struct l *x = malloc(sizeof *x);
        x->n = h->n;
        h->n = x;
    }
    struct l *p = h;
    do {
        struct l *x = p->n;
        free(p);
        p = x;
    } while (p != h->n);
    return 0;
}
