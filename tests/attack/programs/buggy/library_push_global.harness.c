#include "library_push_global.c"
int main(void) {
    push_two();
    free(head);
    return 0;
}
