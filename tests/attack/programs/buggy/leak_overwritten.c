// expect: unsafe-or-unknown
// The pointer is overwritten.
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    p = malloc(sizeof *p);
    free(p);
    return 0;
}
