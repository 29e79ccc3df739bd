// expect: unsafe-or-unknown
// The smallest has a right child, which is lost.
#include <stdlib.h>

struct t { struct t *left, *right; };
static struct t *make(struct t *l, struct t *r) {
    struct t *t = malloc(sizeof *t);
    if (!t) abort();
    t->left = l;
    t->right = r;
    return t;
}
static void remove_min(struct t **t) {
    while ((*t)->left) t = &(*t)->left;
    struct t *old = *t;
    *t = NULL;
    free(old);
}
static void drop(struct t *t) {
    if (!t) return;
    drop(t->left);
    drop(t->right);
    free(t);
}

int main(void) {
    struct t *root = make(make(NULL, make(NULL, NULL)), NULL);
    remove_min(&root);
    drop(root);
    return 0;
}
