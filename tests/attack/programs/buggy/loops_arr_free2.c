// expect: unsafe-or-unknown
// arr free2: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int *a[4] = {0};
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        a[i] = malloc(4);
    if (n >= 0 && n < 4)
        free(a[n]);
    for (int i = 0; i < 4; i++)
        free(a[i]);
    return 0;
}
