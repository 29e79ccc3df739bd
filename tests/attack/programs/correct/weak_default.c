// expect: proved-or-unknown
// A weak function with a default.
#include <stdlib.h>

__attribute__((weak)) int level(void) { return 2; }

int main(void) {
    int a[4] = {0};
    int l = level();
    return l >= 0 && l < 4 ? a[l] : 0;
}
