// expect: unsafe-or-unknown
// The empty list is forgotten.
#include <stdlib.h>

struct list { int data; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *append(struct list *l, int data) {
    struct list *n = malloc(sizeof *n), *p = l;
    if (!n) abort();
    n->data = data;
    n->next = NULL;
    while (p->next) p = p->next;
    p->next = n;
    return l;
}
