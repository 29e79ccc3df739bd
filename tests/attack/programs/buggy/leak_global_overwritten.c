// expect: unsafe-or-unknown
// A global pointer is overwritten in a loop.
#include <stdlib.h>

static char *current;

int main(void) {
    for (int i = 0; i < 3; i++) current = malloc(16);
    free(current);
    return 0;
}
