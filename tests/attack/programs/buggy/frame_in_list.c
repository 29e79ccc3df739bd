// expect: unsafe-or-unknown
// A cell of the frame stays in a global list.
#include <stddef.h>

struct node { struct node *next; int v; };
static struct node *head;

static void add(int v) {
    struct node n = {head, v};
    head = &n;
}

int main(void) {
    add(1);
    add(2);
    int sum = 0;
    for (struct node *p = head; p; p = p->next) sum += p->v;
    return sum;
}
