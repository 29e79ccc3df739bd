// expect: unsafe-or-unknown
// The number of elements is not multiplied with their size.
#include <stdlib.h>

int main(void) {
    int n = 10;
    int *a = malloc(n);
    if (!a) return 1;
    for (int i = 0; i < n; i++) a[i] = i;
    free(a);
    return 0;
}
