#include "library_ring_walk.c"
int main(void) {
    struct ring a = {1, 0}, b = {2, &a};
    a.next = &b;
    return around(&a) == 2 ? 0 : 1;
}
