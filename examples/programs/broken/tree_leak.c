// expect: unsafe: leak
// Cuts off the left part without freeing it.
#include <stddef.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

//@ requires t != NULL * tree(t)
//@ ensures tree(t)
void prune(tree *t, int key) {
    if (t->key > key) t->left = NULL;
    else if (t->right != NULL) prune(t->right, key);
}
