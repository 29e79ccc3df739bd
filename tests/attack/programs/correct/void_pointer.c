// expect: proved-or-unknown
// Through void * and back.
#include <stdlib.h>

struct s { long a; };

static void set(void *p) { ((struct s *)p)->a = 4; }

int main(void) {
    void *v = malloc(sizeof(struct s));
    if (!v) return 1;
    set(v);
    struct s *s = v;
    long a = s->a;
    free(v);
    return a == 4 ? 0 : 1;
}
