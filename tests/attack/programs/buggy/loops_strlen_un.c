// expect: unsafe-or-unknown
// strlen un: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[4];
    memset(a, 'x', 4);
    return (int)strlen(a);
}
