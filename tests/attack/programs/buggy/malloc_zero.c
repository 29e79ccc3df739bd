// expect: unsafe-or-unknown
// malloc(0) has no byte.
#include <stdlib.h>

int main(void) {
    char *p = malloc(0);
    if (p) p[1] = 0;
    free(p);
    return 0;
}
