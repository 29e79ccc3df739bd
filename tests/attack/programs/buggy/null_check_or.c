// expect: unsafe-or-unknown
// || in place of &&.
#include <stddef.h>

struct n { struct n *next; int v; };

int main(void) {
    struct n *p = NULL;
    if (p != NULL || p->v > 0) return 1;
    return 0;
}
