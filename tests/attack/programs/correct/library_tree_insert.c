// expect: proved-or-unknown
// A key goes into a search tree.
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

//@ requires tree(t)
//@ ensures tree(\result)
struct tree *insert(struct tree *t, int key) {
    if (!t) {
        struct tree *n = malloc(sizeof *n);
        if (!n) abort();
        n->key = key;
        n->left = NULL;
        n->right = NULL;
        return n;
    }
    if (key < t->key) t->left = insert(t->left, key);
    else t->right = insert(t->right, key);
    return t;
}
