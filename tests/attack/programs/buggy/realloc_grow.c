// expect: unsafe-or-unknown
// Capacity is doubled, the block grows by one.
#include <stdlib.h>

struct vec { int *items; int count, room; };

static void push(struct vec *v, int x) {
    if (v->count == v->room) {
        int *more = realloc(v->items, (v->room + 1) * sizeof(int));
        if (!more) abort();
        v->items = more;
        v->room = v->room ? 2 * v->room : 1;
    }
    v->items[v->count++] = x;
}

int main(void) {
    struct vec v = {0};
    for (int i = 0; i < 5; i++) push(&v, i);
    free(v.items);
    return 0;
}
