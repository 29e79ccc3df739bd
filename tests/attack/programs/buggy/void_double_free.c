// expect: unsafe-or-unknown
// The same block through void *.
#include <stdlib.h>

struct handle { void *impl; };

int main(void) {
    struct handle h = {malloc(16)};
    void *alias = h.impl;
    free(h.impl);
    free(alias);
    return 0;
}
