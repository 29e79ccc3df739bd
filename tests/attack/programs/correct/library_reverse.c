// expect: proved-or-unknown
// A list is reversed in place.
#include <stddef.h>

struct list { struct list *next; int v; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *reverse(struct list *l) {
    struct list *done = NULL;
    while (l) {
        struct list *t = l->next;
        l->next = done;
        done = l;
        l = t;
    }
    return done;
}
