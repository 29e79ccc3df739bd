// expect: unsafe-or-unknown
// stack head: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct l {
    struct l *n;
};
int main(void) {
    struct l d = {0};
    struct l *t = &d;
    int k = __VERIFIER_nondet_int();
    for (int i = 0; i < k; i++) {
        t->n = malloc(sizeof *t);
        t = t->n;
        t->n = 0;
    }
    t = &d;
    while (t) {
        struct l *x = t->n;
        free(t);
        t = x;
    }
    return 0;
}
