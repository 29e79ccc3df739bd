// expect: unsafe-or-unknown
// The check is inverted.
#include <stdlib.h>

struct s { int a; };

static int get(struct s *p) {
    if (p == NULL) return p->a;
    return 0;
}

int main(void) { return get(NULL); }
