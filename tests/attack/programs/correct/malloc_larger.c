// expect: proved-or-unknown
// More than is needed.
#include <stdlib.h>

struct s { int a; };

int main(void) {
    struct s *p = malloc(100);
    if (!p) return 1;
    p->a = 1;
    p[1].a = 2;
    free(p);
    return 0;
}
