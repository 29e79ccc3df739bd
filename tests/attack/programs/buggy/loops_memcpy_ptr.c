// expect: unsafe-or-unknown
// memcpy ptr: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int v = 1;
    int *p = &v;
    int *q = 0;
    char *a = (char *)&p, *b = (char *)&q;
    for (int i = 0; i < (int)sizeof p - 1; i++)
        b[i] = a[i];
    b[7] = 1;
    *q = 2;
    return 0;
}
