// expect: unsafe-or-unknown
// qsort is told the size of the array.
#include <stdlib.h>

static int cmp(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
    char *v = malloc(4);
    if (!v) return 1;
    for (int i = 0; i < 4; i++) v[i] = (char)(4 - i);
    qsort(v, 5, 1, cmp);
    free(v);
    return 0;
}
