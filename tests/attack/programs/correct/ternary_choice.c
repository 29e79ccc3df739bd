// expect: proved-or-unknown
// Both sides of a ternary are fine.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    char *a = malloc(1), *b = malloc(1);
    if (a && b) *(__VERIFIER_nondet_int() ? a : b) = 1;
    free(a);
    free(b);
    return 0;
}
