// expect: unsafe-or-unknown
// memset of no bytes sets nothing.
#include <string.h>

int main(void) {
    int x = 5, a[3] = {0};
    memset(&x, 0, 0);
    a[x] = 1;
    return 0;
}
