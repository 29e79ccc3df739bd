// expect: unsafe-or-unknown
// n - 1 of a size 0.
#include <stdlib.h>

int main(void) {
    size_t n = 0;
    int a[3] = {0};
    if (n - 1 > 2) a[n + 3] = 1;
    return a[0];
}
