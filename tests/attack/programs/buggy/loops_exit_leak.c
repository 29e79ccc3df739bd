// expect: unsafe-or-unknown
// exit leak: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char *p = malloc(3);
    int n = __VERIFIER_nondet_int();
    if (n)
        p = 0;
    exit(0);
}
