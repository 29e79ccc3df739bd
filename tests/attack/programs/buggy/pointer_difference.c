// expect: unsafe-or-unknown
// The difference of pointers is counted in bytes.
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof(int));
    if (!a) return 1;
    char *first = (char *)a, *last = (char *)(a + 3);
    a[last - first] = 1;
    free(a);
    return 0;
}
