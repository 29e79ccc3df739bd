// Doubly-linked lists.
#include <stdlib.h>

struct dnode {
    int key;
    struct dnode *next;
    struct dnode *prev;
};

struct dnode *dll_append(struct dnode *x, struct dnode *y) {
    if (x == NULL) return y;
    struct dnode *rest = dll_append(x->next, y);
    x->next = rest;
    if (rest != NULL) rest->prev = x;
    return x;
}

struct dnode *dll_concat(struct dnode *a, struct dnode *b) {
    if (a == NULL) return b;
    struct dnode *at = a;
    while (at->next) at = at->next;
    at->next = b;
    if (b) b->prev = at;
    return a;
}

struct dnode *dll_insert_front(struct dnode *x, int k) {
    struct dnode *fresh = malloc(sizeof(struct dnode));
    fresh->key = k;
    fresh->prev = NULL;
    fresh->next = x;
    if (x != NULL) x->prev = fresh;
    return fresh;
}

struct dnode *dll_insert_back(struct dnode *x, int k) {
    if (x == NULL) {
        struct dnode *fresh = malloc(sizeof(struct dnode));
        fresh->key = k;
        fresh->next = fresh->prev = NULL;
        return fresh;
    }
    struct dnode *rest = dll_insert_back(x->next, k);
    x->next = rest;
    rest->prev = x;
    return x;
}

struct dnode *dll_delete_all(struct dnode *x, int k) {
    if (x == NULL) return NULL;
    struct dnode *rest = x->next;
    if (x->key == k) {
        free(x);
        if (rest != NULL) rest->prev = NULL;
        return dll_delete_all(rest, k);
    }
    if (rest != NULL) rest->prev = NULL;
    struct dnode *kept = dll_delete_all(rest, k);
    x->next = kept;
    if (kept != NULL) kept->prev = x;
    return x;
}

// A node behind one that is given.
void mid_insert(struct dnode *at, struct dnode *fresh) {
    fresh->prev = at;
    fresh->next = at->next;
    if (at->next != NULL) at->next->prev = fresh;
    at->next = fresh;
}

void mid_delete(struct dnode *p) {
    if (p->prev != NULL) p->prev->next = p->next;
    if (p->next != NULL) p->next->prev = p->prev;
    free(p);
}

void mid_delete_next(struct dnode *p) {
    struct dnode *q = p->next;
    if (q == NULL) return;
    p->next = q->next;
    if (q->next) q->next->prev = p;
    free(q);
}

// Two lists that meet at their last and first nodes.
struct dnode *meld(struct dnode *x1, struct dnode *y1, struct dnode *x2, struct dnode *y2) {
    y1->next = x2;
    if (x2) x2->prev = y1;
    (void)y2;
    return x1;
}

struct dnode *dll_reverse(struct dnode *x) {
    struct dnode *done = NULL;
    while (x) {
        struct dnode *rest = x->next;
        x->next = done;
        x->prev = rest;
        done = x;
        x = rest;
    }
    return done;
}

void dll_fix(struct dnode *x) {
    struct dnode *before = NULL;
    while (x != NULL) {
        x->prev = before;
        before = x;
        x = x->next;
    }
}

struct dnode *dll_splice(struct dnode *a, struct dnode *b) {
    struct dnode *result = a, *last = NULL;
    if (a == NULL) return b;
    while (a != NULL && b != NULL) {
        struct dnode *an = a->next, *bn = b->next;
        a->next = b;
        b->prev = a;
        if (last != NULL) {
            last->next = a;
            a->prev = last;
        }
        last = b;
        last->next = NULL;
        a = an;
        b = bn;
    }
    if (a != NULL) {
        if (last != NULL) last->next = a;
        a->prev = last;
    } else if (b != NULL && last != NULL) {
        last->next = b;
        b->prev = last;
    }
    return result;
}

void dll_dispose(struct dnode *x) {
    while (x) {
        struct dnode *rest = x->next;
        free(x);
        x = rest;
    }
}

struct dnode *dll_filter(struct dnode *x) {
    struct dnode *at = x, *first = x;
    while (at) {
        struct dnode *rest = at->next;
        if (at->key == 0) {
            if (at->prev)
                at->prev->next = rest;
            else
                first = rest;
            if (rest) rest->prev = at->prev;
            free(at);
        }
        at = rest;
    }
    return first;
}

struct dnode *dll_copy(struct dnode *x) {
    struct dnode *first = NULL, *end = NULL;
    while (x) {
        struct dnode *fresh = malloc(sizeof(*fresh));
        fresh->key = x->key;
        fresh->next = NULL;
        fresh->prev = end;
        if (end)
            end->next = fresh;
        else
            first = fresh;
        end = fresh;
        x = x->next;
    }
    return first;
}

struct dnode *dll_last(struct dnode *x) {
    if (!x) return NULL;
    while (x->next) x = x->next;
    return x;
}

struct dnode *dll_first(struct dnode *x) {
    if (!x) return NULL;
    while (x->prev) x = x->prev;
    return x;
}

struct dnode *dll_remove_last(struct dnode *x) {
    if (x == NULL) return NULL;
    struct dnode *at = x;
    while (at->next) at = at->next;
    if (at->prev == NULL) {
        free(at);
        return NULL;
    }
    at->prev->next = NULL;
    free(at);
    return x;
}
