// expect: unsafe-or-unknown
// The container is freed, not what it holds.
#include <stdlib.h>

struct box { char *label; };

int main(void) {
    struct box *b = malloc(sizeof *b);
    if (!b) return 1;
    b->label = malloc(5);
    free(b);
    return 0;
}
