// expect: unsafe-or-unknown
// The cleanup attribute in the brackets of C23.
#include <stdlib.h>

static void drop(int **p) { free(*p); }

int main(void) {
    [[gnu::cleanup(drop)]] int *p = malloc(sizeof *p);
    if (!p) return 0;
    *p = 1;
    free(p);
    return 0;
}
