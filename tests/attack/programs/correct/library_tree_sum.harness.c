#include "library_tree_sum.c"
int main(void) {
    struct tree a = {1, 0, 0}, b = {2, &a, 0};
    return sum(&b) == 3 ? 0 : 1;
}
