// expect: proved
// Merge two sorted lists, behind a first cell that is not one of theirs.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *merge(node *a, node *b) {
    node first;
    node *last = &first;
    first.next = NULL;
    while (a && b) {
        if (a->val <= b->val) {
            last->next = a;
            a = a->next;
        } else {
            last->next = b;
            b = b->next;
        }
        last = last->next;
        last->next = NULL;
    }
    last->next = a ? a : b;
    return first.next;
}
