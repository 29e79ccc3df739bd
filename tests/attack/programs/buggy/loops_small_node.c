// expect: unsafe-or-unknown
// small node: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct l {
    struct l *n;
    int v;
};
int main(void) {
    struct l *h = 0;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++) {
        struct l *x = malloc(sizeof(void *));
        x->n = h;
        h = x;
    }
    while (h) {
        struct l *x = h->n;
        h->v = 1;
        free(h);
        h = x;
    }
    return 0;
}
