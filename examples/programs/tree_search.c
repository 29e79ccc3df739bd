// expect: proved
#include <stddef.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

//@ requires tree(t)
//@ ensures tree(t)
int contains(const tree *t, int key) {
    if (!t) return 0;
    if (t->key == key) return 1;
    return key < t->key ? contains(t->left, key) : contains(t->right, key);
}
