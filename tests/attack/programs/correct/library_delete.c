// expect: proved-or-unknown
// All cells with a value.
#include <stdlib.h>

struct list { int v; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *delete_all(struct list *l, int v) {
    if (!l) return NULL;
    struct list *rest = delete_all(l->next, v);
    if (l->v == v) {
        free(l);
        return rest;
    }
    l->next = rest;
    return l;
}
