#include "library_reverse.c"
int main(void) {
    struct list a = {NULL, 1}, b = {&a, 2};
    return reverse(&b) == &a && a.next == &b && !b.next ? 0 : 1;
}
