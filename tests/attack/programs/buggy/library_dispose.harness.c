#include "library_dispose.c"
int main(void) {
    node *n = calloc(1, sizeof *n);
    dispose(n);
    return 0;
}
