// expect: proved-or-unknown
// realloc is checked, the old block is kept on failure.
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    if (!p) return 1;
    char *q = realloc(p, 200);
    if (!q) {
        free(p);
        return 1;
    }
    q[199] = 0;
    free(q);
    return 0;
}
