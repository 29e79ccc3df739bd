// expect: unsafe-or-unknown
// free of a global array.
#include <stdlib.h>

static char pool[64];

int main(void) {
    char *p = pool;
    free(p);
    return 0;
}
