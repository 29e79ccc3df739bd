// expect: unsafe-or-unknown
// main calls itself.
#include <stdlib.h>

static int depth;
static char *p;

int main(void) {
    if (depth++ == 0) {
        p = malloc(1);
        main();
        free(p);
        return 0;
    }
    free(p);
    return 0;
}
