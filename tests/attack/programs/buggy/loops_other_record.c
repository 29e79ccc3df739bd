// expect: unsafe-or-unknown
// other record: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct a {
    struct a *n;
};
struct b {
    int k;
    struct b *n;
};
int main(void) {
    struct a *h = 0;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++) {
        struct a *x = malloc(sizeof *x);
        x->n = h;
        h = x;
    }
    struct b *q = (struct b *)h;
    while (q) {
        struct b *x = q->n;
        free(q);
        q = x;
    }
    return 0;
}
