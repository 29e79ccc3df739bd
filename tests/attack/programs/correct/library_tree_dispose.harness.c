#include "library_tree_dispose.c"
int main(void) {
    struct tree *t = calloc(1, sizeof *t);
    t->left = calloc(1, sizeof *t);
    dispose(t);
    return 0;
}
