// expect: proved-or-unknown
// The first cell is taken off and freed.
#include <stdlib.h>

struct list { int v; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *pop(struct list *l) {
    if (l == NULL) return l;
    struct list *t = l;
    l = l->next;
    free(t);
    return l;
}
