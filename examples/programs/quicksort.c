// expect: proved
// Quicksort on lists: cut by the first value, sort both parts, put them together.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
static node *append(node *a, node *b) {
    if (a == NULL) return b;
    node *p = a;
    while (p->next != NULL) p = p->next;
    p->next = b;
    return a;
}

//@ requires ls(x, NULL)
//@ ensures ls(\result, NULL)
node *quicksort(node *x) {
    if (x == NULL || x->next == NULL) return x;
    node *pivot = x;
    node *small = NULL, *large = NULL;
    node *p = x->next;
    pivot->next = NULL;
    while (p != NULL) {
        node *rest = p->next;
        if (p->val < pivot->val) {
            p->next = small;
            small = p;
        } else {
            p->next = large;
            large = p;
        }
        p = rest;
    }
    small = quicksort(small);
    large = quicksort(large);
    pivot->next = large;
    return append(small, pivot);
}
