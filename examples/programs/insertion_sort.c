// expect: proved
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(sorted, NULL) * (exists n . elt |-> {next: n})
//@ ensures ls(\result, NULL)
static node *insert_sorted(node *sorted, node *elt) {
    if (sorted == NULL || elt->val <= sorted->val) {
        elt->next = sorted;
        return elt;
    }
    node *cur = sorted;
    while (cur->next != NULL && cur->next->val < elt->val)
        cur = cur->next;
    elt->next = cur->next;
    cur->next = elt;
    return sorted;
}

//@ requires ls(x, NULL)
//@ ensures ls(\result, NULL)
node *insertion_sort(node *x) {
    node *sorted = NULL;
    while (x != NULL) {
        node *rest = x->next;
        sorted = insert_sorted(sorted, x);
        x = rest;
    }
    return sorted;
}
