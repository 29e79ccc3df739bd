// expect: proved-or-unknown
// An array that grows.
#include <stdlib.h>

struct vec { int *items; size_t count, room; };

static void push(struct vec *v, int x) {
    if (v->count == v->room) {
        size_t room = v->room ? 2 * v->room : 2;
        int *more = realloc(v->items, room * sizeof *more);
        if (!more) abort();
        v->items = more;
        v->room = room;
    }
    v->items[v->count++] = x;
}

int main(void) {
    struct vec v = {NULL, 0, 0};
    for (int i = 0; i < 5; i++) push(&v, i);
    int last = v.items[4];
    free(v.items);
    return last == 4 ? 0 : 1;
}
