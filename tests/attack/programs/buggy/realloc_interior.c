// expect: unsafe-or-unknown
// A pointer into the array before it grows.
#include <stdlib.h>

int main(void) {
    int *a = malloc(2 * sizeof *a);
    if (!a) return 1;
    a[0] = a[1] = 0;
    int *second = &a[1];
    a = realloc(a, 4096);
    if (!a) return 1;
    *second = 3;
    free(a);
    return 0;
}
