// expect: unsafe-or-unknown
// One int too many.
#include <string.h>

int main(void) {
    int a[5];
    memset(a, 0, 6 * sizeof(int));
    return a[0];
}
