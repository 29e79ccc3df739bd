// expect: proved-or-unknown
// A stack in a global.
#include <stdlib.h>

struct node { int v; struct node *below; };
static struct node *top;

static void push(int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->v = v;
    n->below = top;
    top = n;
}
static int pop(void) {
    if (!top) return -1;
    struct node *n = top;
    int v = n->v;
    top = n->below;
    free(n);
    return v;
}

int main(void) {
    push(1);
    push(2);
    pop();
    pop();
    return pop() == -1 ? 0 : 1;
}
