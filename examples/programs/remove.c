// expect: proved
// Take the first cell with a given value out of a list, its head excepted. In the paper's table:
// curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL).
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires lst != NULL * ls(lst, NULL)
//@ ensures ls(lst, NULL)
void remove_value(node *lst, int val) {
    node *curr = lst;
    while (curr->next != NULL) {
        if (curr->next->val == val) {
            node *gone = curr->next;
            curr->next = gone->next;
            free(gone);
            break;
        }
        curr = curr->next;
    }
}
