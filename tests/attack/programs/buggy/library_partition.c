// expect: unsafe-or-unknown
// Cells that fit neither part are lost.
#include <stdlib.h>

struct list { int v; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *positive(struct list *l) {
    struct list *out = NULL;
    while (l) {
        struct list *t = l->next;
        if (l->v > 0) {
            l->next = out;
            out = l;
        } else if (l->v < 0) {
            free(l);
        }
        l = t;
    }
    return out;
}
