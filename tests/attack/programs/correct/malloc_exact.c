// expect: proved-or-unknown
// As many bytes as are used.
#include <stdlib.h>

int main(void) {
    unsigned n = 7;
    short *a = malloc(n * sizeof *a);
    if (!a) return 1;
    for (unsigned i = 0; i < n; i++) a[i] = (short)i;
    int ok = a[n - 1] == 6;
    free(a);
    return !ok;
}
