#include "library_same_twice.c"
int main(void) {
    drop_both(malloc(sizeof(struct node)));
    return 0;
}
