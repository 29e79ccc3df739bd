#include "library_tree_leak.c"
static void drop(struct tree *t) {
    if (!t) return;
    drop(t->left);
    drop(t->right);
    free(t);
}
int main(void) {
    struct tree *t = calloc(1, sizeof *t);
    t->left = calloc(1, sizeof *t);
    cut_left(t);
    drop(t);
    return 0;
}
