// expect: unsafe-or-unknown
// rec tree: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct t {
    struct t *l, *r;
};
static struct t *mk(int d) {
    if (d <= 0)
        return 0;
    struct t *x = malloc(sizeof *x);
    x->l = mk(d - 1);
    x->r = __VERIFIER_nondet_int() ? x->l : 0;
    return x;
}
static void fr(struct t *x) {
    if (!x)
        return;
    fr(x->l);
    fr(x->r);
    free(x);
}
int main(void) {
    fr(mk(3));
    return 0;
}
