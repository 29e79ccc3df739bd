// expect: proved
// A predicate of one's own in the contracts.
#include <stdlib.h>

struct item {
    int key;
    struct item *link;
};
//@ define chain(p) := p = NULL \/ exists n, v . p |-> {link: n, key: v} * chain(n)

//@ requires chain(p)
//@ ensures chain(\result)
struct item *push(struct item *p, int k) {
    struct item *n = malloc(sizeof *n);
    if (!n) abort();
    n->key = k;
    n->link = p;
    return n;
}

//@ requires chain(p)
//@ ensures emp
void drop(struct item *p) {
    while (p) {
        struct item *n = p->link;
        free(p);
        p = n;
    }
}

//@ requires chain(p)
//@ ensures chain(\result)
struct item *rev(struct item *p) {
    struct item *r = 0;
    while (p) {
        struct item *n = p->link;
        p->link = r;
        r = p;
        p = n;
    }
    return r;
}

//@ requires chain(p)
//@ ensures chain(\result)
struct item *both(struct item *p) {
    return rev(push(push(p, 1), 2));
}

//@ requires chain(p)
//@ ensures chain(p)
int sum(struct item *p) {
    int s = 0;
    for (struct item *q = p; q; q = q->link) s ^= q->key;
    return s;
}
