// expect: unsafe-or-unknown
// The first is checked, the second is not.
#include <stddef.h>

struct a { int v; };
struct b { struct a *a; };
static int read_it(struct b *b) { return b ? b->a->v : 0; }

int main(void) {
    struct b b = {NULL};
    return read_it(&b);
}
