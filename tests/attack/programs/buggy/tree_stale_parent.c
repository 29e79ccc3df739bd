// expect: unsafe-or-unknown
// The node above is freed first, and then asked.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right, *up;
    int key;
};

static struct tree *leaf(struct tree *above) {
    struct tree *t = malloc(sizeof *t);
    t->left = t->right = NULL;
    t->key = __VERIFIER_nondet_int();
    t->up = above;
    return t;
}

int main(void) {
    struct tree *root = leaf(NULL);
    for (int count = 4 + (__VERIFIER_nondet_int() & 7); count > 0; count--) {
        struct tree *t = root;
        while (t->left && t->right) t = __VERIFIER_nondet_int() ? t->left : t->right;
        if (!t->left)
            t->left = leaf(t);
        else
            t->right = leaf(t);
    }
    struct tree *t = root;
    while (t) {
        if (t->left) {
            t = t->left;
        } else if (t->right) {
            t = t->right;
        } else {
            struct tree *above = t->up;
            if (above && above->left == t)
                above->left = NULL;
            else if (above)
                above->right = NULL;
            free(above ? above : t);
            t = above;
        }
    }
    return 0;
}
