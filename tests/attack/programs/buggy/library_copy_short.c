// expect: unsafe-or-unknown
// The copy's last cell has no end.
#include <stdlib.h>

struct list { int data; struct list *next; };

//@ requires l != NULL * ls(l, NULL)
//@ ensures ls(l, NULL) * ls(\result, NULL)
struct list *copy(struct list *l) {
    struct list *first = NULL, *last = NULL;
    for (; l; l = l->next) {
        struct list *n = malloc(sizeof *n);
        if (!n) abort();
        n->data = l->data;
        if (last) last->next = n;
        else first = n;
        last = n;
    }
    return first;
}
