#include "library_find.c"
int main(void) {
    struct list a = {1, NULL};
    return contains(&a, 1) - 1 + contains(NULL, 2) + contains(&a, 3);
}
