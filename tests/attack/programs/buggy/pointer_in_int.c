// expect: unsafe-or-unknown
// A pointer through an int loses its upper half.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    unsigned kept = (unsigned)(unsigned long)p;
    int *q = (int *)(unsigned long)kept;
    *q = 1;
    free(p);
    return 0;
}
