#include "library_cell.c"
int main(void) {
    struct node n;
    init(&n);
    return n.v;
}
