// expect: unsafe-or-unknown
// int ptr trunc: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int v = 1;
    long l = (long)(int)(long)&v;
    int *q = (int *)l;
    *q = 2;
    return 0;
}
