#include "library_reverse_ring.c"
int main(void) {
    struct list *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->next = b;
    a = reverse(a);
    while (a) {
        struct list *t = a->next;
        free(a);
        a = t;
    }
    return 0;
}
