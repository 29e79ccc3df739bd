#include "library_tree_insert.c"
int main(void) {
    struct tree *t = insert(insert(NULL, 1), 2);
    free(t->right);
    free(t);
    return 0;
}
