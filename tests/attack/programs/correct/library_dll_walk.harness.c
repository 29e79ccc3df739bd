#include "library_dll_walk.c"
int main(void) {
    struct d a = {1, 0, 0}, b = {2, 0, &a};
    a.next = &b;
    return both_ways(&a) == 2 ? 0 : 1;
}
