#include "library_tree_depth.c"
int main(void) {
    struct tree leaf = {0, 0}, top = {&leaf, 0};
    return leaves(&top);
}
