// expect: proved-or-unknown
// The other file calls back; nothing depends on how often.
#include <stdlib.h>

void each(int n, void (*f)(int));

static int sum;
static void add(int v) { sum += v & 1; }

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    *p = 0;
    each(4, add);
    free(p);
    return 0;
}
