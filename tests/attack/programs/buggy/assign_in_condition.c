// expect: unsafe-or-unknown
// = in place of ==.
#include <stdlib.h>

int main(void) {
    int x = 3, *p = &x;
    if (p = NULL) return 0;
    return *p;
}
