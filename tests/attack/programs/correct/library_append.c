// expect: proved-or-unknown
// A cell at the end.
#include <stdlib.h>

struct list { int data; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *append(struct list *l, int data) {
    struct list *n = malloc(sizeof *n);
    if (!n) abort();
    n->data = data;
    n->next = NULL;
    if (!l) return n;
    struct list *p = l;
    while (p->next) p = p->next;
    p->next = n;
    return l;
}
