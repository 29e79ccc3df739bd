// expect: proved-or-unknown
// A cell in front.
#include <stdlib.h>

struct list { int v; struct list *next; };

//@ requires ls(l, NULL)
//@ ensures ls(\result, NULL)
struct list *push(struct list *l, int v) {
    struct list *n = (struct list *)malloc(sizeof(struct list));
    if (n == NULL) exit(EXIT_FAILURE);
    n->v = v;
    n->next = l;
    return n;
}
