// expect: proved-or-unknown
// A tree is freed.
#include <stdlib.h>

struct tree { struct tree *left, *right; };

//@ requires tree(t)
//@ ensures emp
void dispose(struct tree *t) {
    if (t) {
        dispose(t->left);
        dispose(t->right);
        free(t);
    }
}
