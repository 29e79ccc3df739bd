// expect: unsafe: null dereference
// Steps past the last cell: the test looks at the cell after next.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures ls(x, NULL)
int last_value(node *x) {
    node *p = x;
    while (p->next != NULL)
        p = p->next;
    return p->val;
}
