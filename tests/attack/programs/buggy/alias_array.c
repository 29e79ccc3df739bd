// expect: unsafe-or-unknown
// Two names for one array.
#include <stdlib.h>

int main(void) {
    int **rows = malloc(2 * sizeof *rows);
    if (!rows) return 1;
    rows[0] = malloc(sizeof(int));
    rows[1] = rows[0];
    free(rows[0]);
    free(rows[1]);
    free(rows);
    return 0;
}
