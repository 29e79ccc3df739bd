// expect: proved
#include <stddef.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

//@ requires tree(t)
//@ ensures tree(t)
void mirror(tree *t) {
    if (t) {
        tree *swap = t->left;
        t->left = t->right;
        t->right = swap;
        mirror(t->left);
        mirror(t->right);
    }
}
