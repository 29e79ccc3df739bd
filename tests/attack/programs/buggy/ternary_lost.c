// expect: unsafe-or-unknown
// Only one of the two blocks is freed.
#include <stdlib.h>

int main(void) {
    char *a = malloc(1), *b = malloc(1);
    char *larger = a > b ? a : b;
    free(larger);
    return 0;
}
