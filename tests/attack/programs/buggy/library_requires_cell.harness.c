#include "library_requires_cell.c"
int main(void) {
    struct node n = {1, 0};
    return second(&n);
}
