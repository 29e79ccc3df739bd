// expect: unsafe: leak
// Takes the matching cells out of the list, and forgets to free them.
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires x != NULL * ls(x, NULL)
//@ ensures ls(x, NULL)
void remove_value(node *x, int val) {
    node *p = x;
    while (p->next != NULL) {
        if (p->next->val == val)
            p->next = p->next->next;
        else
            p = p->next;
    }
}
