// expect: unsafe-or-unknown
// free of a local.
#include <stdlib.h>

int main(void) {
    int x = 0;
    int *p = malloc(4);
    if (p) {
        *p = x;
        free(p);
        p = &x;
        free(p);
    }
    return 0;
}
