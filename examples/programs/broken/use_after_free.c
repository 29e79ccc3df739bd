// expect: unsafe: use after free
// Reads the way on from a cell that is gone.
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures emp
void dispose(node *x) {
    while (x != NULL) {
        free(x);
        x = x->next;
    }
}
