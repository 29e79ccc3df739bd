// expect: unsafe-or-unknown
// One cell is freed through two names.
#include <stdlib.h>

struct node { int v; struct node *next; };

//@ requires exists n . p |-> {next: n}
//@ ensures emp
void drop_both(struct node *p) {
    struct node *q = p;
    free(p);
    if (q) free(q);
}
