// expect: unsafe-or-unknown
// Before the start.
#include <stdlib.h>

int main(void) {
    int *block = malloc(8);
    if (!block) return 1;
    int *p = block + 1;
    p[-1] = 1;
    p[-2] = 2;
    free(block);
    return 0;
}
