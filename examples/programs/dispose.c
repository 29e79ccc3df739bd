// expect: proved
// Free every cell. In the paper's table: ls(lst, NULL).
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(lst, NULL)
//@ ensures emp
void dispose(node *lst) {
    while (lst != NULL) {
        node *rest = lst->next;
        free(lst);
        lst = rest;
    }
}
