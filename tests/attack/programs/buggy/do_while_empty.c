// expect: unsafe-or-unknown
// A do loop looks at the first cell before it asks.
#include <stdlib.h>

struct cell { struct cell *next; int v; };

static int sum(struct cell *c) {
    int s = 0;
    do {
        s += c->v;
        c = c->next;
    } while (c);
    return s;
}

int main(void) {
    struct cell one = {NULL, 1};
    return sum(&one) + sum(NULL);
}
