// expect: unsafe-or-unknown
// Only the left side is freed.
#include <stdlib.h>

typedef struct tree { struct tree *l, *r; } tree;
static tree *grow(int depth) {
    if (depth == 0) return NULL;
    tree *t = malloc(sizeof(tree));
    if (!t) abort();
    t->l = grow(depth - 1);
    t->r = grow(depth - 1);
    return t;
}
static void drop(tree *t) {
    while (t) {
        tree *l = t->l;
        free(t);
        t = l;
    }
}

int main(void) {
    drop(grow(2));
    return 0;
}
