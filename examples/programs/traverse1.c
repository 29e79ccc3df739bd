// expect: proved
// Visit every cell. The loop's invariant in the paper's table: ls(lst, curr) * ls(curr, NULL).
#include <stdio.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(lst, NULL)
//@ ensures ls(lst, NULL)
void traverse1(node *lst) {
    node *curr = lst;
    while (curr != NULL) {
        printf("%d\n", curr->val);
        curr = curr->next;
    }
}
