// expect: proved
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

//@ requires tree(t)
//@ ensures emp
void dispose(tree *t) {
    if (t == NULL) return;
    dispose(t->left);
    dispose(t->right);
    free(t);
}
