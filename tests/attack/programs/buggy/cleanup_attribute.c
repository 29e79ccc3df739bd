// expect: unsafe-or-unknown
// A cleanup attribute frees what was freed by hand.
#include <stdlib.h>

struct n { int v; };
static void drop(struct n **p) { free(*p); }

int main(void) {
    __attribute__((cleanup(drop))) struct n *p = malloc(sizeof *p);
    if (!p) return 1;
    p->v = 3;
    free(p);
    return 0;
}
