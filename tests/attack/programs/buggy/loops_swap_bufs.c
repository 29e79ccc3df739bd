// expect: unsafe-or-unknown
// swap bufs: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char *a = malloc(8), *b = malloc(4);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        char *t = a;
        a = b;
        b = t;
        a[5] = 0;
    }
    free(a);
    free(b);
    return 0;
}
