// expect: unsafe-or-unknown
// vola##tile, and a handler that frees.
#include <signal.h>
#include <stdlib.h>
#define JOIN(a, b) a##b

static char *JOIN(vola, tile) buffer;
static void handler(int n) {
    (void)n;
    free(buffer);
}

int main(void) {
    buffer = malloc(8);
    if (!buffer) return 1;
    signal(SIGUSR2, handler);
    raise(SIGUSR2);
    buffer[0] = 'x';
    return 0;
}
