// expect: proved-or-unknown
// A tree is grown and cut down by loops.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *leaf(void) {
    struct tree *t = malloc(sizeof *t);
    t->left = t->right = NULL;
    t->key = __VERIFIER_nondet_int();
    return t;
}

int main(void) {
    struct tree *root = leaf();
    for (int count = 4 + (__VERIFIER_nondet_int() & 7); count > 0; count--) {
        struct tree *t = root;
        while (t->left && t->right) t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (!t->left)
            t->left = leaf();
        else
            t->right = leaf();
    }
    while (root) {
        struct tree *above = NULL, *t = root;
        while (t->left || t->right) {
            above = t;
            t = t->left ? t->left : t->right;
        }
        if (!above)
            root = NULL;
        else if (above->left == t)
            above->left = NULL;
        else
            above->right = NULL;
        free(t);
    }
    return 0;
}
