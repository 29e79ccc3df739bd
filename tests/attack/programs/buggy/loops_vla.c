// expect: unsafe-or-unknown
// vla: an error that only some of the runs through its loops and branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 8)
        return 0;
    int a[n];
    for (int i = 0; i <= n; i++)
        a[i] = 0;
    return 0;
}
