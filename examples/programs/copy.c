// expect: proved
// Copy a list, the last cell first. In the paper's table: ls(curr, NULL) * ls(lst, curr) * ls(cp, NULL).
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(lst, NULL)
//@ ensures ls(lst, NULL) * ls(\result, NULL)
node *copy(node *lst) {
    node *curr = lst;
    node *cp = NULL;
    while (curr != NULL) {
        node *fresh = malloc(sizeof(node));
        if (fresh == NULL) abort();
        fresh->val = curr->val;
        fresh->next = cp;
        cp = fresh;
        curr = curr->next;
    }
    return cp;
}
