#include "library_tree_mirror.c"
int main(void) {
    struct tree a = {0, 0}, b = {&a, 0};
    mirror(&b);
    return b.right == &a ? 0 : 1;
}
