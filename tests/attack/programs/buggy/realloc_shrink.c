// expect: unsafe-or-unknown
// Less than before.
#include <stdlib.h>

int main(void) {
    char *p = calloc(8, 1);
    if (!p) return 1;
    p = realloc(p, 4);
    if (!p) return 1;
    p[7] = 1;
    free(p);
    return 0;
}
