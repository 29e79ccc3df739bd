// expect: proved-or-unknown
// NULL is looked for in the right order.
#include <stddef.h>

struct a { int v; };
struct b { struct a *a; };
static int read_it(const struct b *b) { return b && b->a ? b->a->v : 0; }

int main(void) {
    struct a a = {0};
    struct b full = {&a}, empty = {NULL};
    return read_it(NULL) + read_it(&empty) + read_it(&full);
}
