// expect: proved-or-unknown
// A copy by recursion.
#include <stdlib.h>

struct list { int data; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(l, NULL) * ls(\result, NULL)
struct list *copy(const struct list *l) {
    if (!l) return NULL;
    struct list *n = malloc(sizeof *n);
    if (!n) abort();
    n->data = l->data;
    n->next = copy(l->next);
    return n;
}
