#include "library_dispose_leak.c"
int main(void) {
    node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->next = b;
    dispose(a);
    return 0;
}
