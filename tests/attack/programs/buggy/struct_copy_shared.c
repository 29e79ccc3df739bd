// expect: unsafe-or-unknown
// Two structs own one block.
#include <stdlib.h>

struct text { char *s; };

int main(void) {
    struct text a, b;
    a.s = malloc(2);
    b = a;
    free(a.s);
    a.s = NULL;
    free(b.s);
    free(a.s);
    if (b.s) free(b.s);
    return 0;
}
