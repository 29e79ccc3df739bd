// expect: proved-or-unknown
// A search tree.
#include <stdlib.h>

struct t { int key; struct t *left, *right; };

static struct t *insert(struct t *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t) abort();
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}
static int contains(const struct t *t, int key) {
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t != NULL;
}
static void drop(struct t *t) {
    if (t) {
        drop(t->left);
        drop(t->right);
        free(t);
    }
}

int main(void) {
    struct t *root = NULL;
    root = insert(root, 5);
    root = insert(root, 2);
    root = insert(root, 8);
    int ok = contains(root, 8) && !contains(root, 7);
    drop(root);
    return !ok;
}
