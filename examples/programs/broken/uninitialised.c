// expect: unsafe: dereference of a pointer without a value
// The new cell's way on is never set, and then followed.
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures ls(\result, NULL)
node *push_twice(node *x, int val) {
    node *n = malloc(sizeof(node));
    if (!n) abort();
    n->val = val;
    if (x == NULL)
        n->next->val = val;
    n->next = x;
    return n;
}
