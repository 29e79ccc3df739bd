// expect: unsafe-or-unknown
// shrink: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    char *a = malloc(16);
    for (int i = 0; i < n; i++) {
        if (i == 2) {
            a = realloc(a, 4);
        }
        a[8] = 1;
    }
    free(a);
    return 0;
}
