// expect: unsafe-or-unknown
// The old pointer after realloc.
#include <stdlib.h>

int main(void) {
    int *a = malloc(sizeof(int));
    if (!a) return 1;
    *a = 1;
    int *b = realloc(a, 1000 * sizeof(int));
    if (!b) { free(a); return 1; }
    b[0] = a[0];
    free(b);
    return 0;
}
