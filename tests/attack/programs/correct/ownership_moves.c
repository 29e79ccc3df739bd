// expect: proved-or-unknown
// The block moves from hand to hand.
#include <stdlib.h>

static int *make(void) {
    int *p = malloc(sizeof *p);
    if (p) *p = 1;
    return p;
}
static int take(int *p) {
    int v = p ? *p : 0;
    free(p);
    return v;
}

int main(void) { return take(make()) <= 1 ? 0 : 1; }
