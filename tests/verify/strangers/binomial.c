// Trees with any number of children: a child and a sibling. Lists of lists.
#include <stdlib.h>

struct bnode {
    int key, degree;
    struct bnode *child, *sibling, *parent;
};

struct bnode *heap_min(struct bnode *h) {
    struct bnode *least = h;
    while (h) {
        if (h->key < least->key) least = h;
        h = h->sibling;
    }
    return least;
}

void heap_link(struct bnode *y, struct bnode *z) {
    y->parent = z;
    y->sibling = z->child;
    z->child = y;
    z->degree = z->degree + 1;
}

struct bnode *heap_merge_roots(struct bnode *a, struct bnode *b) {
    if (a == NULL) return b;
    if (b == NULL) return a;
    if (a->degree <= b->degree) {
        a->sibling = heap_merge_roots(a->sibling, b);
        return a;
    }
    b->sibling = heap_merge_roots(a, b->sibling);
    return b;
}

struct kid {
    int key;
    struct kid *child, *sibling;
};

void kids_free(struct kid *t) {
    while (t) {
        struct kid *next = t->sibling;
        kids_free(t->child);
        free(t);
        t = next;
    }
}

int kids_count(struct kid *t) {
    if (!t) return 0;
    return 1 + kids_count(t->child) + kids_count(t->sibling);
}

struct inner {
    int v;
    struct inner *next;
};
struct outer {
    struct inner *items;
    struct outer *next;
};

int rows_sum(struct outer *o) {
    int sum = 0;
    for (; o; o = o->next)
        for (struct inner *i = o->items; i; i = i->next) sum ^= i->v;
    return sum;
}

void rows_free(struct outer *o) {
    while (o) {
        struct outer *next = o->next;
        while (o->items) {
            struct inner *i = o->items->next;
            free(o->items);
            o->items = i;
        }
        free(o);
        o = next;
    }
}

struct outer *rows_add(struct outer *o, int v) {
    struct outer *n = malloc(sizeof *n);
    n->items = malloc(sizeof(struct inner));
    n->items->v = v;
    n->items->next = NULL;
    n->next = o;
    return n;
}

// All items of all rows in one list; the rows are gone.
struct inner *rows_flatten(struct outer *o) {
    struct inner *all = NULL;
    while (o) {
        struct outer *next = o->next;
        while (o->items) {
            struct inner *i = o->items;
            o->items = i->next;
            i->next = all;
            all = i;
        }
        free(o);
        o = next;
    }
    return all;
}
