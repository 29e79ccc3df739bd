// expect: proved-or-unknown
// The length of a list.
#include <stddef.h>

typedef struct node { int val; struct node *next; } node;

//@ requires ls(l, NULL)
//@ ensures ls(l, NULL)
int length(node *l) {
    int n = 0;
    for (node *p = l; p != NULL; p = p->next) n++;
    return n;
}
