// expect: unsafe-or-unknown
// A macro frees and does not say so.
#include <stdlib.h>
#define CLEAR(p) (free(p), (p) = NULL)
#define RESET(p) free(p)

int main(void) {
    char *a = malloc(2);
    CLEAR(a);
    a = malloc(2);
    RESET(a);
    free(a);
    return 0;
}
