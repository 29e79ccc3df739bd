// expect: proved-or-unknown
// Two lists are merged by recursion.
#include <stddef.h>

struct list { int v; struct list *next; };

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
struct list *merge(struct list *a, struct list *b) {
    if (!a) return b;
    if (!b) return a;
    if (a->v <= b->v) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}
