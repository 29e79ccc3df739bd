// expect: unsafe-or-unknown
// The comma's left side frees.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    *p = 3;
    int v = (free(p), *p);
    return v;
}
