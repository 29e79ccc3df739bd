// expect: proved
// Cut a list in two halves: the slow pointer makes one step where the fast one makes two.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(x, NULL)
//@ ensures ls(x, NULL) * ls(\result, NULL)
node *split(node *x) {
    if (x == NULL || x->next == NULL) return NULL;
    node *slow = x;
    node *fast = x->next;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    node *second = slow->next;
    slow->next = NULL;
    return second;
}
