// expect: proved
// The paper's running example. Its table: a != NULL * a != b * b != cur * cur != NULL
// * ls(cur, NULL) * ls(a, cur) * ls(b, NULL).
#include <stddef.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *concat(node *a, node *b) {
    if (a == NULL) return b;
    node *cur = a;
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = b;
    return a;
}
