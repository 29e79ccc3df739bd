// Trees, doubly-linked, circular and nested lists, globals.
#include <stdlib.h>

typedef struct tree {
    int key;
    struct tree *left, *right;
} tree;

// expect dispose_tree: proved
//@ requires tree(t)
//@ ensures emp
void dispose_tree(tree *t) {
    if (t == NULL)
        return;
    dispose_tree(t->left);
    dispose_tree(t->right);
    free(t);
}

// expect mirror: proved
//@ requires tree(t)
//@ ensures tree(t)
void mirror(tree *t) {
    if (t == NULL)
        return;
    tree *old = t->left;
    t->left = t->right;
    t->right = old;
    mirror(t->left);
    mirror(t->right);
}

// expect contains: proved
//@ requires tree(t)
//@ ensures tree(t)
int contains(tree *t, int key) {
    if (!t)
        return 0;
    if (t->key == key)
        return 1;
    return key < t->key ? contains(t->left, key) : contains(t->right, key);
}

// expect insert: proved
//@ requires tree(t)
//@ ensures tree+(\result)
tree *insert(tree *t, int key) {
    if (t == NULL) {
        t = calloc(1, sizeof(tree));
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

// expect remove_least: proved
//@ requires t != NULL * tree(t)
//@ ensures tree(\result)
tree *remove_least(tree *t) {
    if (t->left == NULL) {
        tree *right = t->right;
        free(t);
        return right;
    }
    t->left = remove_least(t->left);
    return t;
}

typedef struct dnode {
    struct dnode *next, *prev;
} dnode;

// expect push_front: proved
//@ requires exists last . dll(list, last, NULL, NULL)
//@ ensures exists last . dll(\result, last, NULL, NULL)
dnode *push_front(dnode *list) {
    dnode *cell = malloc(sizeof *cell);
    cell->next = list;
    cell->prev = NULL;
    if (list != NULL)
        list->prev = cell;
    return cell;
}

// expect push_back: proved
//@ requires exists last . list != NULL * dll(list, last, NULL, NULL)
//@ ensures exists last . dll(list, last, NULL, NULL)
void push_back(dnode *list) {
    dnode *at = list;
    //@ invariant exists p, last . list != NULL * at != NULL * dll(list, p, NULL, at) * dll(at, last, p, NULL)
    while (at->next != NULL)
        at = at->next;
    dnode *cell = malloc(sizeof *cell);
    cell->next = NULL;
    cell->prev = at;
    at->next = cell;
}

// expect backwards: proved
//@ requires dll(first, last, NULL, NULL)
//@ ensures dll(first, last, NULL, NULL)
int backwards(dnode *first, dnode *last) {
    int n = 0;
    dnode *at = last;
    //@ invariant exists n . dll(first, at, NULL, n) * dll(n, last, at, NULL)
    while (at != NULL) {
        at = at->prev;
        n++;
    }
    return n;
}

// expect dispose_dll: proved
//@ requires exists last . dll(list, last, NULL, NULL)
//@ ensures emp
void dispose_dll(dnode *list) {
    //@ invariant exists last, p . dll(list, last, p, NULL)
    while (list != NULL) {
        dnode *next = list->next;
        free(list);
        list = next;
    }
}

typedef struct ring {
    struct ring *next;
    int data;
} ring;

// expect ring_length: proved
//@ requires ls+(r, r)
//@ ensures ls+(r, r)
int ring_length(ring *r) {
    int n = 1;
    ring *at = r->next;
    //@ invariant ls+(r, at) * ls(at, r)
    while (at != r) {
        n++;
        at = at->next;
    }
    return n;
}

// expect ring_insert: proved
//@ requires ls+(r, r)
//@ ensures ls+(r, r)
void ring_insert(ring *r) {
    ring *cell = malloc(sizeof *cell);
    cell->next = r->next;
    r->next = cell;
}

// expect ring_dispose: proved
//@ requires ls+(r, r)
//@ ensures emp
void ring_dispose(ring *r) {
    ring *at = r->next;
    //@ invariant exists n . r |-> {next: n} * ls(at, r)
    while (at != r) {
        ring *next = at->next;
        free(at);
        at = next;
    }
    free(r);
}

// expect ring_build: proved
//@ requires emp
//@ ensures ls+(\result, \result)
ring *ring_build(int n) {
    ring *first = malloc(sizeof *first);
    first->next = first;
    //@ invariant ls+(first, first)
    while (n-- > 0) {
        ring *cell = malloc(sizeof *cell);
        cell->next = first->next;
        first->next = cell;
    }
    return first;
}

typedef struct item {
    struct item *next;
} item;

typedef struct outer {
    struct outer *next;
    item *val;
} outer;

// expect visit_all: proved
//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures ls(o, NULL, \t -> ls(t, NULL))
int visit_all(outer *o) {
    int n = 0;
    outer *at = o;
    //@ invariant ls(o, at, \t -> ls(t, NULL)) * ls(at, NULL, \t -> ls(t, NULL))
    while (at != NULL) {
        item *i = at->val;
        //@ invariant exists v, n . at != NULL * ls(o, at, \t -> ls(t, NULL)) * at |-> {next: n, val: v}
        //@   * ls(v, i) * ls(i, NULL) * ls(n, NULL, \t -> ls(t, NULL))
        while (i != NULL) {
            n++;
            i = i->next;
        }
        at = at->next;
    }
    return n;
}

// expect dispose_all: proved
//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures emp
void dispose_all(outer *o) {
    //@ invariant ls(o, NULL, \t -> ls(t, NULL))
    while (o != NULL) {
        item *i = o->val;
        //@ invariant exists v, n . o |-> {next: n, val: v} * ls(i, NULL) * ls(n, NULL, \t -> ls(t, NULL))
        while (i != NULL) {
            item *dead = i;
            i = i->next;
            free(dead);
        }
        outer *dead = o;
        o = o->next;
        free(dead);
    }
}

// expect create_all: proved
//@ requires emp
//@ ensures ls(\result, NULL, \t -> ls(t, NULL))
outer *create_all(int n, int m) {
    outer *list = NULL;
    //@ invariant ls(list, NULL, \t -> ls(t, NULL))
    for (int i = 0; i < n; i++) {
        outer *o = malloc(sizeof *o);
        o->val = NULL;
        o->next = list;
        list = o;
        //@ invariant exists v, n . list |-> {val: v, next: n} * ls(v, NULL) * ls(n, NULL, \t -> ls(t, NULL))
        for (int j = 0; j < m; j++) {
            item *it = malloc(sizeof *it);
            it->next = list->val;
            list->val = it;
        }
    }
    return list;
}

item *stack;

// expect push: proved
//@ requires ls(stack, NULL)
//@ ensures ls+(stack, NULL)
void push(void) {
    item *cell = malloc(sizeof *cell);
    cell->next = stack;
    stack = cell;
}

// expect pop: proved
//@ requires ls(stack, NULL)
//@ ensures ls(stack, NULL)
void pop(void) {
    if (stack == NULL)
        return;
    item *dead = stack;
    stack = stack->next;
    free(dead);
}

// expect clear: proved
//@ requires ls(stack, NULL)
//@ ensures stack = NULL
void clear(void) {
    //@ invariant ls(stack, NULL)
    while (stack != NULL)
        pop();
}

// expect pop_one_pushed: proved
//@ requires ls(stack, NULL)
//@ ensures ls(stack, NULL)
void pop_one_pushed(void) {
    push();
    item *cell = stack;
    stack = cell->next;
    free(cell);
}

// expect panhandle: proved
//@ requires exists c . ls(p, c) * ls+(c, c)
//@ ensures exists c . ls(p, c) * ls+(c, c)
int panhandle(ring *p) {
    int n = 0;
    ring *slow = p;
    //@ invariant exists c . ls(p, slow) * ls(slow, c) * ls+(c, c)
    //@        \/ exists c . ls(p, c) * ls+(c, slow) * ls(slow, c)
    while (n < 10) {
        slow = slow->next;
        n++;
    }
    return n;
}

typedef struct pnode {
    int key;
    struct pnode *left, *right, *parent;
} pnode;

// expect dispose_ptree: proved
//@ requires exists up . ptree(t, up)
//@ ensures emp
void dispose_ptree(pnode *t) {
    if (t == NULL)
        return;
    dispose_ptree(t->left);
    dispose_ptree(t->right);
    free(t);
}

// expect graft: proved
//@ requires x |-> {left: NULL, right: NULL} * ptree(t, x)
//@ ensures ptree(\old(x), NULL)
void graft(pnode *x, pnode *t) {
    x->left = t;
    x->parent = NULL;
}
