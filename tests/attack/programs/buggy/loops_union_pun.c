// expect: unsafe-or-unknown
// union pun: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
union u {
    int *p;
    long l;
};
int main(void) {
    int v;
    union u x;
    x.p = &v;
    x.l += 4;
    *x.p = 1;
    return 0;
}
