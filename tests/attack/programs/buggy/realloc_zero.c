// expect: unsafe-or-unknown
// realloc to 0 gives the block back.
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    if (!p) return 1;
    char *q = realloc(p, 0);
    p[0] = 1;
    free(q);
    return 0;
}
