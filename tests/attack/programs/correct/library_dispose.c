// expect: proved-or-unknown
// Every cell is freed.
#include <stdlib.h>

typedef struct node { struct node *next; } node;

//@ requires ls(l, NULL)
//@ ensures emp
void dispose(node *l) {
    while (l) {
        node *t = l->next;
        free(l);
        l = t;
    }
}
