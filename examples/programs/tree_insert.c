// expect: proved
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

static tree *leaf(int key) {
    tree *t = calloc(1, sizeof *t);
    if (t == NULL) abort();
    t->key = key;
    return t;
}

//@ requires tree(t)
//@ ensures tree(\result)
tree *insert(tree *t, int key) {
    if (t == NULL) return leaf(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}
