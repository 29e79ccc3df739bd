// expect: unsafe-or-unknown
// A static local keeps what was freed.
#include <stdlib.h>

static int *cache(int reset) {
    static int *kept;
    if (!kept) kept = malloc(sizeof *kept);
    if (!kept) exit(1);
    if (reset) free(kept);
    else *kept = 1;
    return kept;
}

int main(void) {
    cache(0);
    cache(1);
    return *cache(0);
}
