// expect: unsafe-or-unknown
// The product of two sizes wraps around.
#include <stdlib.h>

int main(void) {
    unsigned n = 0x40000001u;
    int *a = malloc(n * (unsigned)sizeof(int));
    if (!a) return 0;
    for (unsigned i = 0; i < 3; i++) a[i] = 0;
    free(a);
    return 0;
}
