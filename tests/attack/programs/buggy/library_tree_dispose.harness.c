#include "library_tree_dispose.c"
int main(void) {
    dispose(calloc(1, sizeof(struct tree)));
    return 0;
}
