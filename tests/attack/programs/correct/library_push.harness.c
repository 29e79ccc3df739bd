#include "library_push.c"
int main(void) {
    struct list *l = push(NULL, 1);
    free(l);
    return 0;
}
