// expect: unsafe-or-unknown
// A block as large as the small member.
#include <stdlib.h>

union u { char c; struct { long a, b; } l; };

int main(void) {
    union u *p = malloc(sizeof(char));
    if (!p) return 0;
    p->l.b = 1;
    free(p);
    return 0;
}
