// The seven programs of the paper's table of invariants, with exactly those invariants (appendix, table 4).
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node;

// expect traverse1: proved
//@ requires ls(lst, NULL)
//@ ensures ls(lst, NULL)
void traverse1(node *lst) {
    node *curr = lst;
    //@ invariant ls(lst, curr) * ls(curr, NULL)
    while (curr != NULL)
        curr = curr->next;
}

// expect traverse2: proved
//@ requires lst != NULL * ls(lst, NULL)
//@ ensures ls(lst, NULL)
void traverse2(node *lst) {
    node *curr = lst;
    //@ invariant curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL)
    while (curr->next != NULL)
        curr = curr->next;
}

// expect concat: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *concat(node *a, node *b) {
    if (a == NULL)
        return b;
    node *cur = a;
    //@ invariant a != NULL * a != b * b != cur * cur != NULL * ls(cur, NULL) * ls(a, cur) * ls(b, NULL)
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = b;
    return a;
}

// expect copy: proved
//@ requires ls(lst, NULL)
//@ ensures ls(lst, NULL) * ls(\result, NULL)
node *copy(node *lst) {
    node *curr = lst, *cp = NULL;
    //@ invariant ls(curr, NULL) * ls(lst, curr) * ls(cp, NULL)
    while (curr != NULL) {
        node *old = cp;
        cp = (node *)malloc(sizeof(node));
        cp->data = curr->data;
        cp->next = old;
        curr = curr->next;
    }
    return cp;
}

// expect dispose: proved
//@ requires ls(lst, NULL)
//@ ensures emp
void dispose(node *lst) {
    //@ invariant ls(lst, NULL)
    while (lst != NULL) {
        node *dead = lst;
        lst = lst->next;
        free(dead);
    }
}

// expect insert: proved
//@ requires lst != NULL * ls(lst, NULL) * elt |-> {next: NULL}
//@ ensures ls(lst, NULL)
void insert(node *lst, node *elt) {
    node *curr = lst;
    //@ invariant curr != NULL * curr != elt * elt != NULL * elt != lst * lst != NULL
    //@           * ls(elt, NULL) * ls(lst, curr) * ls(curr, NULL)
    while (curr->next != NULL && curr->data < elt->data)
        curr = curr->next;
    // The invariant forgets that elt is a single cell: insert the list of it that is known.
    node *last = elt;
    //@ invariant last != NULL * curr != NULL * ls(elt, last) * ls(last, NULL) * ls(lst, curr) * ls(curr, NULL)
    while (last->next != NULL)
        last = last->next;
    last->next = curr->next;
    curr->next = elt;
}

// expect remove: proved
//@ requires lst != NULL * ls(lst, NULL)
//@ ensures ls(lst, NULL)
void remove(node *lst, int key) {
    node *curr = lst;
    //@ invariant curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL)
    while (curr->next != NULL && curr->next->data != key)
        curr = curr->next;
    if (curr->next != NULL) {
        node *dead = curr->next;
        curr->next = dead->next;
        free(dead);
    }
}
