// expect: unsafe-or-unknown
// global change: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
static int *g;
static int v;
static void f(int k) {
    if (k == 7)
        g = 0;
}
int main(void) {
    g = &v;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        f(i);
    *g = 1;
    return 0;
}
