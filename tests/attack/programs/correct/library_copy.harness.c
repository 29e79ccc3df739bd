#include "library_copy.c"
int main(void) {
    struct list a = {1, NULL};
    struct list *c = copy(&a);
    free(c);
    return copy(NULL) != NULL;
}
