// expect: unsafe-or-unknown
// bsearch finds nothing.
#include <stdlib.h>

static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int v[3] = {1, 3, 5}, key = 4;
    int *found = bsearch(&key, v, 3, sizeof *v, cmp);
    return *found;
}
