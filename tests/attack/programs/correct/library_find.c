// expect: proved-or-unknown
// A cell by its value.
#include <stddef.h>

struct list { int v; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(l, NULL)
int contains(struct list *l, int v) {
    struct list *p = l;
    while (p != NULL && p->v != v) p = p->next;
    return p != NULL;
}
