// expect: unsafe-or-unknown
// One byte for an int.
#include <stdlib.h>

int main(void) {
    int *p = malloc(1);
    if (!p) return 0;
    *p = 5;
    free(p);
    return 0;
}
