// expect: proved
// Put a cell into a sorted list, behind its first one. In the paper's table: curr != NULL * curr != elt
// * elt != NULL * elt != lst * lst != NULL * ls(elt, NULL) * ls(lst, curr) * ls(curr, NULL).
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires lst != NULL * ls(lst, NULL) * elt |-> {next: NULL}
//@ ensures ls(lst, NULL)
void insert(node *lst, node *elt) {
    node *curr = lst;
    while (curr->next != NULL && curr->next->val < elt->val)
        curr = curr->next;
    elt->next = curr->next;
    curr->next = elt;
}
