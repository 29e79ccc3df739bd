#include "library_merge.c"
int main(void) {
    struct list a = {1, NULL}, b = {2, NULL};
    return merge(&b, &a)->next == &b ? 0 : 1;
}
