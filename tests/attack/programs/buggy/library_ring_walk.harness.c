#include "library_ring_walk.c"
int main(void) {
    struct ring r = {1, &r};
    return cut_and_sum(&r);
}
