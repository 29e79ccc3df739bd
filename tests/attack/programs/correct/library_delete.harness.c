#include "library_delete.c"
int main(void) {
    struct list *l = calloc(1, sizeof *l);
    return delete_all(l, 0) != NULL;
}
