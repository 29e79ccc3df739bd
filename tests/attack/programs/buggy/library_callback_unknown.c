// expect: unsafe-or-unknown
// A callback of the caller frees the block.
#include <stdlib.h>

int with_buffer(void (*f)(char *)) {
    char *b = malloc(4);
    if (!b) return -1;
    b[0] = 1;
    f(b);
    int v = b[0];
    free(b);
    return v;
}
