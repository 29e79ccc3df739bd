// expect: unsafe: leak
// Inserts behind a cell, and loses what came after it.
#include <stdlib.h>

typedef struct node {
    int val;
    struct node *next;
} node;

//@ requires x != NULL * ls(x, NULL)
//@ ensures ls(x, NULL)
void insert_after(node *x, int val) {
    node *n = malloc(sizeof *n);
    if (n == NULL) return;
    n->val = val;
    n->next = NULL;
    x->next = n;
}
