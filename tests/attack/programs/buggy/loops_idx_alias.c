// expect: unsafe-or-unknown
// idx alias: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0, 1, 2, 3};
    int n = __VERIFIER_nondet_int();
    int k = 0;
    for (int i = 0; i < n; i++) {
        k = a[k & 3];
        a[k] = 9;
    }
    return 0;
}
