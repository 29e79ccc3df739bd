// expect: unsafe-or-unknown
// The removed cell is lost.
#include <stdlib.h>

struct list { int key; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *remove_first(struct list *l) {
    if (!l) return NULL;
    struct list *rest = l->next;
    l->next = NULL;
    return rest;
}
