// expect: proved-or-unknown
// Two lists.
#include <stddef.h>

struct list { int v; struct list *next; };

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
struct list *concat(struct list *a, struct list *b) {
    if (!a) return b;
    struct list *p = a;
    while (p->next) p = p->next;
    p->next = b;
    return a;
}
