// expect: unsafe-or-unknown
// A weak definition is replaced by the other file's.
#include <stdlib.h>

__attribute__((weak)) int *source(void) {
    static int x = 1;
    return &x;
}

int main(void) { return *source(); }
