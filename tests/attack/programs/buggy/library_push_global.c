// expect: unsafe-or-unknown
// The old head is lost at every push.
#include <stdlib.h>

struct cell { int v; struct cell *next; };
static struct cell *head;

static void push(int v) {
    struct cell *c = malloc(sizeof *c);
    if (!c) abort();
    c->v = v;
    c->next = NULL;
    head = c;
}

void push_two(void) {
    head = NULL;
    push(1);
    push(2);
}
