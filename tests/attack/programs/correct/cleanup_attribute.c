// expect: proved-or-unknown
// The cleanup attribute frees, and nobody else does.
#include <stdlib.h>

static void drop(int **p) { free(*p); }

int main(void) {
    __attribute__((cleanup(drop))) int *p = malloc(sizeof *p);
    if (!p) return 1;
    *p = 0;
    return *p;
}
