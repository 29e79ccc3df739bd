// expect: proved-or-unknown
// The callback frees, and the caller forgets.
#include <stdlib.h>

struct timer { void (*done)(struct timer *); int *data; };

static void finish(struct timer *t) {
    free(t->data);
    t->data = NULL;
}

int main(void) {
    struct timer t = {finish, malloc(sizeof(int))};
    if (t.data) *t.data = 1;
    t.done(&t);
    return t.data != NULL;
}
