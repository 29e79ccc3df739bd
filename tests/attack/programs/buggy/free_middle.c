// expect: unsafe-or-unknown
// free of a pointer into the block.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    if (!p) return 1;
    while (p[0] = 'a', p[0] != 'a') p++;
    p++;
    free(p);
    return 0;
}
