// expect: unsafe-or-unknown
// Half of a pointer is copied.
#include <string.h>

int main(void) {
    int x = 1, *p = &x, *q = 0;
    memcpy(&q, &p, 4);
    return *q;
}
