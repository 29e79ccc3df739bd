// expect: proved
// Go to the last cell. In the paper's table:
// curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL).
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires lst != NULL * ls(lst, NULL)
//@ ensures ls(lst, \result) * \result |-> {next: NULL}
node *traverse2(node *lst) {
    node *curr = lst;
    while (curr->next != NULL)
        curr = curr->next;
    return curr;
}
