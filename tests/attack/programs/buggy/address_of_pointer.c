// expect: unsafe-or-unknown
// A pointer to the pointer changes it.
#include <stdlib.h>

static void reset(int **p) { *p = NULL; }

int main(void) {
    int x = 0, *p = &x;
    reset(&p);
    *p = 1;
    return x;
}
