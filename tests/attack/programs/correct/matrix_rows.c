// expect: proved-or-unknown
// Rows are freed before their table.
#include <stdlib.h>

int main(void) {
    int **m = malloc(3 * sizeof *m);
    if (!m) return 1;
    for (int i = 0; i < 3; i++) {
        m[i] = calloc(2, sizeof **m);
        if (!m[i]) abort();
    }
    m[2][1] = 4;
    for (int i = 0; i < 3; i++) free(m[i]);
    free(m);
    return 0;
}
