// expect: unsafe-or-unknown
// exit runs what was registered, after the block is gone.
#include <stdlib.h>

static int **slot;
static void last(void) { **slot = 1; }

int main(void) {
    slot = malloc(sizeof *slot);
    if (!slot) return 0;
    *slot = NULL;
    atexit(last);
    exit(0);
}
