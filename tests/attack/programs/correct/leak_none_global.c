// expect: proved-or-unknown
// What a global still holds in the end is no leak.
#include <stdlib.h>

static int *cache;

static int lookup(void) {
    if (!cache) {
        cache = malloc(sizeof *cache);
        if (!cache) return -1;
        *cache = 0;
    }
    return ++*cache;
}

int main(void) {
    lookup();
    return lookup() == 2 ? 0 : 1;
}
