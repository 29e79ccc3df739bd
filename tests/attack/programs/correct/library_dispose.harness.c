#include "library_dispose.c"
int main(void) {
    node *n = calloc(1, sizeof *n);
    dispose(n);
    dispose(NULL);
    return 0;
}
