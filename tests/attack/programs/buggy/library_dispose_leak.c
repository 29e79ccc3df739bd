// expect: unsafe-or-unknown
// Every second cell is lost.
#include <stdlib.h>

typedef struct node { struct node *next; } node;

//@ requires ls(l, NULL)
//@ ensures emp
void dispose(node *l) {
    while (l) {
        node *t = l->next;
        free(l);
        l = t ? t->next : t;
    }
}
