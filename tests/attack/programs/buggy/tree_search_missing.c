// expect: unsafe-or-unknown
// The key is not there.
#include <stdlib.h>

struct t { int key; struct t *left, *right; };

static struct t *find(struct t *t, int key) {
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t;
}

int main(void) {
    struct t root = {5, NULL, NULL};
    return find(&root, 6)->key;
}
