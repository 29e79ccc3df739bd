// expect: unsafe-or-unknown
// The comparison frees.
#include <stdlib.h>

static int *scratch;
static int cmp(const void *a, const void *b) {
    free(scratch);
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int v[3] = {2, 1, 3};
    scratch = malloc(4);
    qsort(v, 3, sizeof(int), cmp);
    return v[0];
}
