// expect: unsafe-or-unknown
// The first cell still points on: a ring instead of a list.
#include <stddef.h>
#include <stdlib.h>

struct list { struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *reverse(struct list *l) {
    if (!l) return l;
    struct list *done = l, *p = l->next;
    while (p) {
        struct list *t = p->next;
        p->next = done;
        done = p;
        p = t;
    }
    return done;
}
