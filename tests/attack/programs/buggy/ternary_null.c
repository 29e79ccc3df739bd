// expect: unsafe-or-unknown
// The wrong side of a ternary.
#include <stddef.h>

struct n { int v; };

int main(void) {
    struct n a = {1}, *p = &a, *q = NULL;
    int which = 3;
    return (which > 2 ? q : p)->v;
}
