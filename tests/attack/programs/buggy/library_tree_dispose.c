// expect: unsafe-or-unknown
// The right side is followed after free.
#include <stdlib.h>

struct tree { int v; struct tree *left, *right; };

//@ requires tree(t)
//@ ensures emp
void dispose(struct tree *t) {
    if (!t) return;
    dispose(t->left);
    free(t);
    dispose(t->right);
}
