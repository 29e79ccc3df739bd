// expect: proved
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires x != NULL * ls(x, NULL)
//@ ensures ls(x, NULL) * ls(\result, NULL)
static node *halve(node *x) {
    node *slow = x, *fast = x->next;
    while (fast != NULL) {
        fast = fast->next;
        if (fast != NULL) {
            slow = slow->next;
            fast = fast->next;
        }
    }
    node *second = slow->next;
    slow->next = NULL;
    return second;
}

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
static node *merge(node *a, node *b) {
    if (a == NULL) return b;
    if (b == NULL) return a;
    if (a->val <= b->val) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

//@ requires ls(x, NULL)
//@ ensures ls(\result, NULL)
node *merge_sort(node *x) {
    if (x == NULL || x->next == NULL) return x;
    node *second = halve(x);
    return merge(merge_sort(x), merge_sort(second));
}
