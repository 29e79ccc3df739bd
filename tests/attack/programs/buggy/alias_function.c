// expect: unsafe-or-unknown
// An alias calls what frees.
#include <stdlib.h>

static int *held;
static void release(void) { free(held); }
static void tidy(void) __attribute__((alias("release")));

int main(void) {
    held = malloc(sizeof *held);
    if (!held) return 0;
    *held = 1;
    tidy();
    return *held;
}
