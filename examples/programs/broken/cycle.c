// expect: unsafe: ensures
// Appends the first list to itself, where the second was meant.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires a != NULL * ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *concat(node *a, node *b) {
    node *p = a;
    while (p->next != NULL)
        p = p->next;
    p->next = a;
    return a;
}
