// expect: unsafe: null dereference
// Two steps at a time, and only one is tested.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures ls(x, NULL)
node *middle(node *x) {
    node *slow = x, *fast = x;
    while (fast != NULL) {
        fast = fast->next->next;
        slow = slow->next;
    }
    return slow;
}
