// expect: unsafe-or-unknown
// The right side of && has an effect, and is not always evaluated.
#include <stdlib.h>

static int *p;
static int make(void) {
    p = malloc(sizeof *p);
    return p != NULL;
}

int main(void) {
    int want = 0;
    if (want && make()) free(p);
    *p = 1;
    return 0;
}
