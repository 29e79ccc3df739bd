// expect: unsafe-or-unknown
// The rest of the second list is lost.
#include <stdlib.h>

struct list { int v; struct list *next; };

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
struct list *merge(struct list *a, struct list *b) {
    struct list head, *end = &head;
    while (a && b) {
        struct list **least = a->v <= b->v ? &a : &b;
        end->next = *least;
        end = *least;
        *least = (*least)->next;
    }
    end->next = a;
    return head.next;
}
