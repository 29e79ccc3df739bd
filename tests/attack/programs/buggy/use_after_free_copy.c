// expect: unsafe-or-unknown
// memcpy from freed memory.
#include <stdlib.h>
#include <string.h>

int main(void) {
    int *a = calloc(4, sizeof(int)), b[4];
    if (!a) return 1;
    free(a);
    memcpy(b, a, sizeof b);
    return b[0];
}
