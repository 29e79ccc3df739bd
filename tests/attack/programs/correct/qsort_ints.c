// expect: proved-or-unknown
// qsort with a comparison.
#include <stdlib.h>

static int cmp(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int v[] = {3, 1, 2};
    qsort(v, sizeof v / sizeof *v, sizeof *v, cmp);
    return v[0] == 1 ? 0 : 1;
}
