// expect: unsafe-or-unknown
// The check comes after the use.
#include <stddef.h>

struct s { int a; };

static int get(struct s *p) {
    int v = p->a;
    if (!p) return -1;
    return v;
}

int main(void) { return get(NULL); }
