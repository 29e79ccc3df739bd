// expect: proved-or-unknown
// A result with two pointers, both freed.
#include <stdlib.h>

struct pair { char *a, *b; };

static struct pair make(void) {
    struct pair p = {malloc(1), malloc(2)};
    return p;
}

int main(void) {
    struct pair p = make();
    free(p.a);
    free(p.b);
    return 0;
}
