// expect: unsafe-or-unknown
// alias anchor: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char *a = malloc(8), *b = malloc(8);
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (i == 3) {
            free(b);
            b = a;
        }
        b[0] = 1;
    }
    free(a);
    free(b);
    return 0;
}
