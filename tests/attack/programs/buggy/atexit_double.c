// expect: unsafe-or-unknown
// What atexit registered frees again.
#include <stdlib.h>

static char *config;
static void tidy(void) { free(config); }

int main(void) {
    config = malloc(10);
    atexit(tidy);
    free(config);
    return 0;
}
