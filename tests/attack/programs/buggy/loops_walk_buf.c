// expect: unsafe-or-unknown
// walk buf: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[10];
    int n = __VERIFIER_nondet_int();
    char *p = a;
    for (int i = 0; i < n && i < 20; i++) {
        *p++ = 1;
    }
    return 0;
}
