// expect: unsafe-or-unknown
// The last cell of a list that may be empty.
#include <stddef.h>

typedef struct node { int val; struct node *next; } node;

//@ requires ls(l, NULL)
//@ ensures ls(l, NULL)
int last(node *l) {
    while (l->next != NULL) l = l->next;
    return l->val;
}
