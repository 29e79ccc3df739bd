#include "library_append.c"
int main(void) {
    struct list *l = append(append(NULL, 1), 2);
    free(l->next);
    free(l);
    return 0;
}
