#include "library_double_pointer.c"
int main(void) {
    struct node *h = NULL;
    push(&h, 1);
    free(h);
    return 0;
}
