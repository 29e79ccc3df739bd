#include "library_concat.c"
int main(void) {
    struct list a = {1, NULL}, b = {2, NULL};
    return concat(&a, &b)->next == &b && concat(NULL, &b) == &b ? 0 : 1;
}
