// expect: unsafe-or-unknown
// The rows are freed after their table.
#include <stdlib.h>

int main(void) {
    int **m = malloc(2 * sizeof(int *));
    if (!m) abort();
    for (int i = 0; i < 2; i++) m[i] = calloc(2, sizeof(int));
    free(m);
    for (int i = 0; i < 2; i++) free(m[i]);
    return 0;
}
