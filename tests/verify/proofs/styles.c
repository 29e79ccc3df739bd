// Lists as programs elsewhere have them: dummy heads, pointers to pointers, queues, interior pointers,
// loops of all kinds, doubly-linked lists with and without a sentinel.
#include <stdlib.h>

typedef struct node {
    int data;
    struct node *next;
} node;

// expect merge_dummy: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *merge_dummy(node *a, node *b) {
    node dummy;
    node *tail = &dummy;
    dummy.next = NULL;
    //@ invariant exists t . ls(dummy, tail) * tail |-> {next: t} * ls(a, NULL) * ls(b, NULL)
    while (a && b) {
        if (a->data <= b->data) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return dummy.next;
}

// expect push: proved
//@ requires exists l . at |-> {deref: l} * ls(l, NULL)
//@ ensures exists l . at |-> {deref: l} * ls+(l, NULL)
void push(node **at, int data) {
    node *cell = malloc(sizeof *cell);
    cell->data = data;
    cell->next = *at;
    *at = cell;
}

// The name of a local is what it holds, also where its address is taken.
// expect push_many: proved
//@ requires emp
//@ ensures ls(\result, NULL)
node *push_many(int n) {
    node *head = NULL;
    //@ invariant ls(head, NULL)
    for (int i = 0; i < n; i++)
        push(&head, i);
    return head;
}

// expect delete_at: proved
//@ requires exists l . at |-> {deref: l} * ls(l, NULL)
//@ ensures exists l . at |-> {deref: l} * ls(l, NULL)
void delete_at(node **at, int key) {
    node *cur = *at, *prev = NULL;
    //@ invariant prev = NULL * at |-> {deref: cur} * ls(cur, NULL)
    //@        \/ exists l . at |-> {deref: l} * ls(l, prev) * prev |-> {next: cur} * ls(cur, NULL)
    while (cur != NULL && cur->data != key) {
        prev = cur;
        cur = cur->next;
    }
    if (cur == NULL)
        return;
    if (prev == NULL)
        *at = cur->next;
    else
        prev->next = cur->next;
    free(cur);
}

// expect find: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, \result) * ls(\result, NULL)
node *find(node *list, int key) {
    node *p;
    //@ invariant ls(list, p) * ls(p, NULL)
    for (p = list; p; p = p->next)
        if (p->data == key)
            return p;
    return NULL;
}

// expect find_and_set: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void find_and_set(node *list, int key) {
    node *p = find(list, key);
    if (p)
        p->data = 0;
}

// expect last: proved
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, \result) * \result |-> {next: NULL}
node *last(node *list) {
    //@ invariant list != NULL * ls(\old(list), list) * ls(list, NULL)
    while (list->next)
        list = list->next;
    return list;
}

// expect join: proved
//@ requires ls(a, NULL) * ls(b, NULL)
//@ ensures ls(\result, NULL)
node *join(node *a, node *b) {
    if (!a)
        return b;
    last(a)->next = b;
    return a;
}

// expect last_do: proved
//@ requires list != NULL * ls(list, NULL)
//@ ensures ls(list, \result) * \result |-> {next: NULL}
node *last_do(node *list) {
    node *p = list, *q;
    //@ invariant p != NULL * ls(list, p) * ls(p, NULL)
    do {
        q = p;
        p = p->next;
    } while (p != NULL);
    return q;
}

// expect forever: proved
//@ requires ls(list, NULL)
//@ ensures emp
void forever(node *list) {
    //@ invariant ls(list, NULL)
    for (;;) {
        if (!list)
            break;
        node *next = list->next;
        free(list);
        list = next;
    }
}

// expect bubble: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void bubble(node *list) {
    int swapped = 1;
    //@ invariant ls(list, NULL)
    while (swapped) {
        swapped = 0;
        node *p = list;
        //@ invariant ls(list, p) * ls(p, NULL)
        while (p != NULL && p->next != NULL) {
            if (p->data > p->next->data) {
                int t = p->data;
                p->data = p->next->data;
                p->next->data = t;
                swapped = 1;
            }
            p = p->next;
        }
    }
}

// expect selection: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void selection(node *list) {
    node *i, *j, *least;
    //@ invariant ls(list, i) * ls(i, NULL)
    for (i = list; i != NULL; i = i->next) {
        least = i;
        //@ invariant i != NULL * least != NULL * ls(list, i) * ls(i, least) * ls(least, j) * ls(j, NULL) * least != j
        for (j = i->next; j != NULL; j = j->next)
            if (j->data < least->data)
                least = j;
        int t = i->data;
        i->data = least->data;
        least->data = t;
    }
}

// expect swap_pairs: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *swap_pairs(node *list) {
    if (list == NULL || list->next == NULL)
        return list;
    node *second = list->next;
    node *rest = second->next;
    second->next = list;
    list->next = swap_pairs(rest);
    return second;
}

// expect remove_duplicates: proved
//@ requires ls(list, NULL)
//@ ensures ls(list, NULL)
void remove_duplicates(node *list) {
    node *at = list;
    //@ invariant ls(list, at) * ls(at, NULL)
    while (at != NULL) {
        //@ invariant at != NULL * ls(list, at) * ls(at, NULL)
        while (at->next != NULL && at->next->data == at->data) {
            node *dead = at->next;
            at->next = dead->next;
            free(dead);
        }
        at = at->next;
    }
}

// expect reverse_recursive: proved
//@ requires ls(list, NULL) * ls(done, NULL)
//@ ensures ls(\result, NULL)
node *reverse_recursive(node *list, node *done) {
    if (list == NULL)
        return done;
    node *rest = list->next;
    list->next = done;
    return reverse_recursive(rest, list);
}

typedef struct queue {
    node *head, *tail;
} queue;

// expect new_queue: proved
//@ requires emp
//@ ensures \result |-> {head: NULL, tail: NULL}
queue *new_queue(void) {
    return calloc(1, sizeof(queue));
}

// expect enqueue: proved
//@ requires q |-> {head: NULL, tail: NULL} \/ exists h, t . q |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
//@ ensures exists h, t . q |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
void enqueue(queue *q, int data) {
    node *cell = malloc(sizeof *cell);
    cell->data = data;
    cell->next = NULL;
    if (q->head == NULL)
        q->head = cell;
    else
        q->tail->next = cell;
    q->tail = cell;
}

// expect dequeue: proved
//@ requires exists h, t . q |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
//@ ensures q |-> {head: NULL, tail: NULL} \/ exists h, t . q |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
int dequeue(queue *q) {
    node *cell = q->head;
    int data = cell->data;
    q->head = cell->next;
    if (q->head == NULL)
        q->tail = NULL;
    free(cell);
    return data;
}

// expect use_queue: proved
//@ requires emp
//@ ensures exists h, t . \result |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
queue *use_queue(int n) {
    queue *q = new_queue();
    enqueue(q, 0);
    //@ invariant exists h, t . q |-> {head: h, tail: t} * ls(h, t) * t |-> {next: NULL}
    for (int i = 0; i < n; i++) {
        enqueue(q, i);
        dequeue(q);
        enqueue(q, i + 1);
    }
    return q;
}

typedef struct dnode {
    struct dnode *next, *prev;
    int data;
} dnode;

// expect dll_remove: proved
//@ requires exists p, n, last . dll(list, p, NULL, at) * at |-> {next: n, prev: p} * dll(n, last, at, NULL)
//@ ensures exists last . dll(\result, last, NULL, NULL)
dnode *dll_remove(dnode *list, dnode *at) {
    if (at->prev)
        at->prev->next = at->next;
    else
        list = at->next;
    if (at->next)
        at->next->prev = at->prev;
    free(at);
    return list;
}

// expect dll_reverse: proved
//@ requires exists last . dll(list, last, NULL, NULL)
//@ ensures exists last . dll(\result, last, NULL, NULL)
dnode *dll_reverse(dnode *list) {
    dnode *done = NULL;
    //@ invariant exists l, m, p . dll(list, l, p, NULL) * dll(done, m, NULL, NULL)
    while (list != NULL) {
        dnode *next = list->next;
        list->next = done;
        list->prev = NULL;
        if (done != NULL)
            done->prev = list;
        done = list;
        list = next;
    }
    return done;
}

// expect sentinel_insert: proved
//@ requires exists a, z . head |-> {next: a, prev: z} * dll(a, z, head, head)
//@ ensures exists a, z . head |-> {next: a, prev: z} * dll(a, z, head, head)
void sentinel_insert(dnode *head) {
    dnode *cell = malloc(sizeof *cell);
    dnode *next = head->next;
    cell->next = next;
    cell->prev = head;
    next->prev = cell;
    head->next = cell;
}

// expect sentinel_clear: proved
//@ requires exists a, z . head |-> {next: a, prev: z} * dll(a, z, head, head)
//@ ensures head |-> {next: head, prev: head}
void sentinel_clear(dnode *head) {
    dnode *at = head->next;
    //@ invariant exists a, z, p . head |-> {next: a, prev: z} * dll(at, z, p, head)
    while (at != head) {
        dnode *next = at->next;
        free(at);
        at = next;
    }
    head->next = head->prev = head;
}

// expect checked: proved
//@ requires ls(list, NULL)
//@ ensures ls(\result, NULL)
node *checked(node *list) {
    node *cell = (node *)malloc(sizeof(node));
    if (cell == NULL)
        abort();
    cell->next = list;
    return cell;
}
