// expect: proved-or-unknown
// exit in a deeper function; what is reachable then is no leak.
#include <stdlib.h>

static char *config;

static void check(int n) {
    if (n > 2) exit(0);
}

int main(void) {
    config = malloc(4);
    if (!config) return 1;
    config[0] = 1;
    check(3);
    free(config);
    return 1;
}
