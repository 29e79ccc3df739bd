// expect: unsafe-or-unknown
// wrap8: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[200];
    unsigned char i = 0;
    int n = __VERIFIER_nondet_int();
    while (n-- > 0) {
        a[i] = 1;
        i++;
    }
    return 0;
}
