// expect: proved-or-unknown
// Objects with tables of functions.
#include <stdlib.h>

struct shape;
struct methods { int (*area)(const struct shape *); void (*drop)(struct shape *); };
struct shape { const struct methods *m; int side; };

static int area(const struct shape *s) { return s->side * s->side; }
static void drop(struct shape *s) { free(s); }
static const struct methods square = {area, drop};

int main(void) {
    struct shape *s = malloc(sizeof *s);
    if (!s) return 1;
    s->m = &square;
    s->side = 3;
    int a = s->m->area(s);
    s->m->drop(s);
    return a == 9 ? 0 : 1;
}
