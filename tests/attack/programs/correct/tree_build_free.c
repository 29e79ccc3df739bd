// expect: proved-or-unknown
// A tree, built and freed by recursion.
#include <stdlib.h>

typedef struct tree { struct tree *l, *r; int v; } tree;

static tree *grow(int depth) {
    if (depth == 0) return NULL;
    tree *t = malloc(sizeof(tree));
    if (!t) abort();
    t->v = depth;
    t->l = grow(depth - 1);
    t->r = grow(depth - 1);
    return t;
}
static void drop(tree *t) {
    if (!t) return;
    drop(t->l);
    drop(t->r);
    free(t);
}

int main(void) {
    tree *t = grow(3);
    drop(t);
    return 0;
}
