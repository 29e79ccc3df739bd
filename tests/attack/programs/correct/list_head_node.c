// expect: proved-or-unknown
// A list with a head node on the frame.
#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void) {
    struct node head = {0, NULL}, *last = &head;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) abort();
        n->v = i;
        n->next = NULL;
        last->next = n;
        last = n;
    }
    for (struct node *p = head.next, *t; p; p = t) {
        t = p->next;
        free(p);
    }
    return 0;
}
