// expect: unsafe: use after free
// Frees the root before its children.
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

//@ requires tree(t)
//@ ensures emp
void dispose(tree *t) {
    if (t == NULL) return;
    free(t);
    dispose(t->left);
    dispose(t->right);
}
