#include "library_partition.c"
int main(void) {
    struct list *l = calloc(1, sizeof *l);
    free(positive(l));
    return 0;
}
