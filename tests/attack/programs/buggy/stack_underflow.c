// expect: unsafe-or-unknown
// pop of an empty stack.
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
    struct node *n = top;
    int v = n->v;
    top = n->below;
    free(n);
    return v;
}

int main(void) {
    push(1);
    pop();
    return pop();
}
