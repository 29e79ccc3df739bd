// Invariants as they come out of snapshots: a case for each way in which variables may be NULL or equal, with
// structures of at least one cell (ls+), joined by disjunction.
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node;

// expect traverse: proved
//@ requires ls(lst, NULL)
//@ ensures ls(lst, NULL)
void traverse(node *lst) {
    node *curr = lst;
    //@ invariant lst = NULL * curr = NULL
    //@        \/ lst = curr * ls+(lst, NULL)
    //@        \/ ls+(lst, curr) * ls+(curr, NULL)
    //@        \/ curr = NULL * ls+(lst, NULL)
    while (curr != NULL)
        curr = curr->next;
}

// expect concat: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *concat(node *a, node *b) {
    if (a == NULL)
        return b;
    node *cur = a;
    //@ invariant a = cur * b = NULL * ls+(a, NULL)
    //@        \/ a = cur * ls+(a, NULL) * ls+(b, NULL)
    //@        \/ b = NULL * ls+(a, cur) * ls+(cur, NULL)
    //@        \/ ls+(a, cur) * ls+(cur, NULL) * ls+(b, NULL)
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = b;
    return a;
}

// expect reverse: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *reverse(node *list) {
    node *done = NULL;
    //@ invariant list = NULL * done = NULL
    //@        \/ done = NULL * ls+(list, NULL)
    //@        \/ list = NULL * ls+(done, NULL)
    //@        \/ ls+(list, NULL) * ls+(done, NULL)
    while (list) {
        node *rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}

// expect delete_all: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *delete_all(node *list, int key) {
    node *prev = NULL, *cur = list;
    //@ invariant prev = NULL * cur = NULL * list = NULL
    //@        \/ prev = NULL * list = cur * ls+(cur, NULL)
    //@        \/ list = prev * cur = NULL * prev |-> {next: NULL}
    //@        \/ list = prev * prev |-> {next: cur} * ls+(cur, NULL)
    //@        \/ cur = NULL * ls+(list, prev) * prev |-> {next: NULL}
    //@        \/ ls+(list, prev) * prev |-> {next: cur} * ls+(cur, NULL)
    while (cur != NULL) {
        if (cur->data == key) {
            node *dead = cur;
            cur = cur->next;
            if (prev == NULL)
                list = cur;
            else
                prev->next = cur;
            free(dead);
        } else {
            prev = cur;
            cur = cur->next;
        }
    }
    return list;
}

// expect two_pointers: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
node *two_pointers(node *list) {
    node *slow = list, *fast = list;
    //@ invariant list = NULL * slow = NULL * fast = NULL
    //@        \/ slow = list * fast = list * ls+(list, NULL)
    //@        \/ ls+(list, slow) * ls+(slow, fast) * ls+(fast, NULL)
    //@        \/ fast = NULL * ls+(list, slow) * ls+(slow, NULL)
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    return slow;
}

// expect two_pointers_plain: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
node *two_pointers_plain(node *list) {
    node *slow = list, *fast = list;
    //@ invariant ls(list, slow) * ls(slow, fast) * ls(fast, NULL)
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    return slow;
}

// expect lengths: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(a, NULL) * ls(b, NULL)
int lengths(node *a, node *b) {
    node *p = a, *q = b;
    int n = 0;
    //@ invariant ls(a, p) * ls(p, NULL) * ls(b, q) * ls(q, NULL)
    while (p != NULL && q != NULL) {
        p = p->next;
        q = q->next;
        n++;
    }
    //@ invariant ls(a, p) * ls(p, NULL) * ls(b, NULL)
    while (p) {
        p = p->next;
        n++;
    }
    return n;
}

typedef struct tree {
    struct tree *left, *right;
    int key;
} tree;

typedef struct stack {
    struct stack *next;
    tree *val;
} stack;

// expect dispose_with_stack: proved
//@ requires tree(t)
//@ ensures emp
void dispose_with_stack(tree *t) {
    stack *top = malloc(sizeof *top);
    top->val = t;
    top->next = NULL;
    //@ invariant ls(top, NULL, \u -> tree(u))
    while (top != NULL) {
        stack *dead = top;
        tree *at = top->val;
        top = top->next;
        free(dead);
        if (at == NULL)
            continue;
        stack *l = malloc(sizeof *l), *r = malloc(sizeof *r);
        l->val = at->left;
        r->val = at->right;
        l->next = r;
        r->next = top;
        top = l;
        free(at);
    }
}

typedef struct bucket {
    struct bucket *next;
    node *val;
} bucket;

// expect flatten: proved
//@ requires ls(b, NULL, \t -> ls(t, NULL))
//@ ensures ls(\result, NULL)
node *flatten(bucket *b) {
    node *all = NULL;
    //@ invariant ls(b, NULL, \t -> ls(t, NULL)) * ls(all, NULL)
    while (b != NULL) {
        //@ invariant exists v, n . b |-> {next: n, val: v} * ls(v, NULL) * ls(n, NULL, \t -> ls(t, NULL)) * ls(all, NULL)
        while (b->val != NULL) {
            node *cell = b->val;
            b->val = cell->next;
            cell->next = all;
            all = cell;
        }
        bucket *dead = b;
        b = b->next;
        free(dead);
    }
    return all;
}

// expect add_to_bucket: proved
//@ requires ls(b, NULL, \t -> ls(t, NULL))
//@ ensures ls(b, NULL, \t -> ls(t, NULL))
void add_to_bucket(bucket *b, int n) {
    bucket *at = b;
    //@ invariant ls(b, at, \t -> ls(t, NULL)) * ls(at, NULL, \t -> ls(t, NULL))
    while (at != NULL && n > 0) {
        at = at->next;
        n--;
    }
    if (at == NULL)
        return;
    node *cell = malloc(sizeof *cell);
    cell->next = at->val;
    at->val = cell;
}

// expect ring_cases: proved
//@ requires ls+(r, r)
//@ ensures ls+(r, r)
void ring_cases(node *r) {
    node *at = r;
    //@ invariant at = r * ls+(r, r) \/ ls+(r, at) * ls+(at, r)
    do {
        at = at->next;
    } while (at != r);
}

// expect ring_split: proved
//@ requires ls+(r, r)
//@ ensures r |-> {next: r} * ls(\result, NULL)
node *ring_split(node *r) {
    node *at = r->next, *list = NULL;
    //@ invariant exists n . r |-> {next: n} * ls(at, r) * ls(list, NULL)
    while (at != r) {
        node *next = at->next;
        at->next = list;
        list = at;
        at = next;
    }
    r->next = r;
    return list;
}
