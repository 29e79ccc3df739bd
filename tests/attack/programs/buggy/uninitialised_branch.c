// expect: unsafe-or-unknown
// Set in one branch only.
#include <stdlib.h>

int main(void) {
    int *p, n = 2;
    if (n > 2) p = malloc(4);
    free(p);
    return 0;
}
