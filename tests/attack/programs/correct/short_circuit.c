// expect: proved-or-unknown
// The right side is evaluated only if there is something.
#include <stdlib.h>

struct n { struct n *next; int v; };
static int is(const struct n *p, int v) { return p != NULL && p->v == v; }

int main(void) {
    struct n a = {NULL, 3};
    return is(&a, 3) && !is(a.next, 3) ? 0 : 1;
}
