// expect: unsafe-or-unknown
// Every cell is read after its free.
#include <stdlib.h>

typedef struct node { struct node *next; } node;

//@ requires ls(l, NULL)
//@ ensures emp
void dispose(node *l) {
    while (l) {
        free(l);
        l = l->next;
    }
}
