// expect: unsafe-or-unknown
// A constructor sets the flag that main tests.
#include <stdlib.h>

static int armed;
__attribute__((constructor)) static void arm(void) { armed = 1; }

int main(void) {
    int *p = malloc(sizeof(int));
    if (!p) return 0;
    *p = 0;
    if (armed) free(p);
    free(p);
    return 0;
}
