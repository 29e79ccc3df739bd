// expect: unsafe-or-unknown
// An early return forgets the first block.
#include <stdlib.h>

static int pair(void) {
    char *a = malloc(4);
    if (!a) return -1;
    char *b = malloc(4);
    if (!b) return -1;
    a[0] = b[0] = 1;
    if (a[0] == b[0]) {
        free(b);
        return 1;
    }
    free(b);
    free(a);
    return 0;
}

int main(void) { return pair() != 1; }
