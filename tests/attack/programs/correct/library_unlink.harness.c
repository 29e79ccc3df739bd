#include "library_unlink.c"
int main(void) {
    struct node b = {2, 0}, a = {1, &b};
    return drop_second(&a) == &a && !a.next ? 0 : 1;
}
