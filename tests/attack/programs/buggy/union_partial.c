// expect: unsafe-or-unknown
// One byte of a pointer is overwritten through the union.
#include <stdlib.h>

union u { int *p; unsigned char bytes[sizeof(int *)]; };

int main(void) {
    union u x;
    x.p = malloc(4);
    if (!x.p) return 1;
    x.bytes[6] = 0x55;
    *x.p = 1;
    return 0;
}
