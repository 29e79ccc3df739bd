// expect: proved-or-unknown
// The head through a pointer.
#include <stdlib.h>

struct node { int v; struct node *next; };

//@ requires exists h . head |-> {deref: h} * ls(h, NULL)
//@ ensures exists h . head |-> {deref: h} * ls(h, NULL)
void push(struct node **head, int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->v = v;
    n->next = *head;
    *head = n;
}
