// expect: unsafe-or-unknown
// The root goes before its children.
#include <stdlib.h>

typedef struct tree { struct tree *l, *r; } tree;
static tree *leaf(void) { return calloc(1, sizeof(tree)); }
static void drop(tree *t) {
    if (t == NULL) return;
    free(t);
    drop(t->l);
    drop(t->r);
}

int main(void) {
    tree *t = leaf();
    if (!t) return 1;
    t->l = leaf();
    drop(t);
    return 0;
}
