// expect: unsafe-or-unknown
// calloc of n - 1.
#include <stdlib.h>

int main(void) {
    unsigned n = 4;
    long *v = calloc(n - 1, sizeof *v);
    if (!v) return 1;
    v[n - 1] = 1;
    free(v);
    return 0;
}
