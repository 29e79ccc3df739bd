// Programs with a fault each: none may be proved, and each must fail for the right reason.
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int data;
} node;

// `data` stands 8 bytes behind NULL: the address that is read is the number 8.
// expect empty_list: memory error
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
int empty_list(node *list) {
    return list->data;
}

// expect past_the_end: memory error: null dereference
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void past_the_end(node *list) {
    node *cur = list;
    //@ invariant ls(list, cur) * ls(cur, NULL)
    while (cur->next != NULL)
        cur = cur->next;
}

// expect use_after_free: memory error: use after free
//@ requires ls(list, NULL)
//@ ensures emp
void use_after_free(node *list) {
    //@ invariant ls(list, NULL)
    while (list != NULL) {
        free(list);
        list = list->next;
    }
}

// expect double_free: memory error: double free
//@ requires list |-> {next: NULL}
//@ ensures emp
void double_free(node *list) {
    node *other = list;
    free(list);
    free(other);
}

// expect one_leaks: leak
//@ requires ls(list, NULL)
//@ ensures emp
void one_leaks(node *list) {
    if (list == NULL)
        return;
    list = list->next;
    //@ invariant ls(list, NULL)
    while (list != NULL) {
        node *dead = list;
        list = list->next;
        free(dead);
    }
}

// expect removed_not_freed: leak
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, NULL)
void removed_not_freed(node *list) {
    if (list->next != NULL)
        list->next = list->next->next;
}

// expect lost_tail: leak
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, NULL)
void lost_tail(node *list) {
    list->next = NULL;
}

// expect cycle: postcondition
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, NULL)
void cycle(node *list) {
    node *cur = list;
    //@ invariant list != NULL * cur != NULL * ls(list, cur) * ls(cur, NULL)
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = list;
}

// expect not_initialised: postcondition
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *not_initialised(node *list) {
    node *cell = malloc(sizeof *cell);
    if (list != NULL)
        cell->next = list;
    return cell;
}

// expect dangling_local: memory error: uninitialised pointer
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
int dangling_local(node *list) {
    node *p;
    return p->data;
}

// expect dangling_result: postcondition
//@ requires emp
//@ ensures ls(\result, NULL)
node *dangling_result(void) {
    node *cell = malloc(sizeof *cell);
    cell->next = NULL;
    free(cell);
    return cell;
}

// expect too_strong: invariant not established
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void too_strong(node *list) {
    node *cur = list;
    //@ invariant ls(list, cur) * ls+(cur, NULL)
    while (cur != NULL)
        cur = cur->next;
}

// expect not_kept: invariant not preserved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void not_kept(node *list) {
    node *cur = list;
    //@ invariant list = cur * ls(cur, NULL)
    while (cur != NULL)
        cur = cur->next;
}

// expect too_weak: memory error: dangling
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void too_weak(node *list) {
    node *cur = list;
    //@ invariant ls(list, NULL)
    while (cur != NULL)
        cur = cur->next;
}

// expect takes_list: proved
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(\result, NULL)
node *takes_list(node *list) {
    node *next = list->next;
    free(list);
    return next;
}

// expect bad_call: call precondition fails
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *bad_call(node *list) {
    return takes_list(list);
}

// expect use_after_call: memory error: dangling
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(\result, NULL)
node *use_after_call(node *list) {
    node *rest = takes_list(list);
    list->next = rest;
    return list;
}

// expect aliased: postcondition
//@ requires ls(a, NULL)
//@ ensures ls(a, NULL) * ls(\result, NULL)
node *aliased(node *a) {
    return a;
}

// expect freed_twice_in_loop: memory error
//@ requires ls(a, NULL)
//@ ensures emp
void freed_twice_in_loop(node *a) {
    node *b = a;
    //@ invariant ls(a, NULL)
    while (a != NULL) {
        node *dead = a;
        a = a->next;
        free(dead);
    }
    if (b != NULL)
        free(b);
}

// expect self_append: postcondition
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(\result, NULL)
node *self_append(node *list) {
    node *cell = malloc(sizeof *cell);
    cell->next = cell;
    node *cur = list;
    //@ invariant cell |-> {next: cell} * list != NULL * cur != NULL * ls(list, cur) * ls(cur, NULL)
    while (cur->next)
        cur = cur->next;
    cur->next = cell;
    return list;
}

typedef struct tree {
    struct tree *left, *right;
} tree;

// expect children_leak: leak
//@ requires tree(t)
//@ ensures emp
void children_leak(tree *t) {
    if (t)
        free(t);
}

// expect shared_child: postcondition
//@ requires tree(t)
//@ ensures tree(\result)
tree *shared_child(tree *t) {
    tree *top = malloc(sizeof *top);
    top->left = t;
    top->right = t;
    return top;
}
