#include "library_remove.c"
int main(void) {
    struct list *l = calloc(1, sizeof *l);
    l = remove_first(l);
    return l != NULL;
}
