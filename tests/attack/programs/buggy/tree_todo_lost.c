// expect: unsafe-or-unknown
// One of two children is left on no stack.
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
    struct todo {
        struct tree *tree;
        struct todo *next;
    } *top = malloc(sizeof *top);
    top->tree = root;
    top->next = NULL;
    while (top) {
        struct todo *done = top;
        struct tree *t = done->tree, *kids[2] = {t->left, t->right};
        top = done->next;
        free(done);
        free(t);
        for (int k = 0; k < 2; k++) {
            if (!kids[k] || (k && kids[0])) continue;
            struct todo *fresh = malloc(sizeof *fresh);
            fresh->tree = kids[k];
            fresh->next = top;
            top = fresh;
        }
    }
    return 0;
}
