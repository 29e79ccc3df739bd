// expect: unsafe-or-unknown
// Freed in the branch and at the end.
#include <stdlib.h>

int work(int n) {
    int *buffer = malloc(8 * sizeof *buffer);
    if (!buffer) return -1;
    if (n < 0) free(buffer);
    buffer[0] = n;
    free(buffer);
    return 0;
}
