// expect: proved-or-unknown
// A constructor sets up what main uses.
#include <stdlib.h>

static int *state;
__attribute__((constructor)) static void set_up(void) {
    state = malloc(sizeof *state);
    if (!state) abort();
    *state = 3;
}
__attribute__((destructor)) static void tear_down(void) { free(state); }

int main(void) {
    *state += 1;
    return *state == 4 ? 0 : 1;
}
