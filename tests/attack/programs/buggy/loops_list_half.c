// expect: unsafe-or-unknown
// list half: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct l {
    struct l *n;
};
int main(void) {
    struct l *h = 0;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++) {
        struct l *x = malloc(sizeof *x);
        x->n = h;
        h = x;
    }
    struct l *s = h, *f = h;
    while (f) {
        f = f->n->n;
        s = s->n;
    }
    while (h) {
        struct l *t = h->n;
        free(h);
        h = t;
    }
    return 0;
}
