#include "library_merge.c"
int main(void) {
    struct list *b = calloc(1, sizeof *b);
    struct list *l = merge(NULL, b);
    free(l);
    return 0;
}
