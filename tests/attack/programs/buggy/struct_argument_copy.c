// expect: unsafe-or-unknown
// The callee changes its own copy.
#include <stdlib.h>

struct list { int *items; };

static void init(struct list l) { l.items = malloc(sizeof(int)); }

int main(void) {
    struct list l = {0};
    init(l);
    l.items[0] = 1;
    return 0;
}
