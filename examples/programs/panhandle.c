// expect: proved
// A list that leads into a ring: along the handle, then once around the pan.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, pan) * ls+(pan, pan)
//@ ensures ls(x, pan) * ls+(pan, pan)
int count(node *x, node *pan) {
    int n = 0;
    for (node *p = x; p != pan; p = p->next)
        n++;
    node *q = pan;
    do {
        n++;
        q = q->next;
    } while (q != pan);
    return n;
}
