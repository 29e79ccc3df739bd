// expect: unsafe: free of what is not from malloc
// Frees a cell that lives on the stack.
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures emp
void dispose(node *x) {
    node first;
    node *p = &first;
    first.next = x;
    while (p != NULL) {
        node *next = p->next;
        free(p);
        p = next;
    }
}
