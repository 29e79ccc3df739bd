// expect: unsafe: double free
// The first cell is freed by the loop, and again after it.
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures emp
void dispose(node *x) {
    node *p = x;
    while (p != NULL) {
        node *next = p->next;
        free(p);
        p = next;
    }
    free(x);
}
