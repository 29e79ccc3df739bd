// expect: proved-or-unknown
// Freed at exit.
#include <stdlib.h>

static char *buffer;
static void tidy(void) {
    free(buffer);
    buffer = NULL;
}

int main(void) {
    buffer = malloc(10);
    if (!buffer) return 1;
    atexit(tidy);
    buffer[9] = 0;
    return 0;
}
