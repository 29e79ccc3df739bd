// Circular lists, singly and doubly linked.
#include <stdlib.h>

struct cnode {
    int key;
    struct cnode *next;
};

struct cnode *ring_insert_front(struct cnode *x, int k) {
    struct cnode *fresh = malloc(sizeof(*fresh));
    fresh->key = k;
    if (x == NULL) {
        fresh->next = fresh;
        return fresh;
    }
    struct cnode *at = x;
    while (at->next != x) at = at->next;
    fresh->next = x;
    at->next = fresh;
    return fresh;
}

struct cnode *ring_delete_front(struct cnode *x) {
    struct cnode *second = x->next;
    if (second == x) {
        free(x);
        return NULL;
    }
    struct cnode *at = second;
    while (at->next != x) at = at->next;
    at->next = second;
    free(x);
    return second;
}

struct cnode *ring_delete_back(struct cnode *x) {
    if (x->next == x) {
        free(x);
        return NULL;
    }
    struct cnode *before = x, *at = x->next;
    while (at->next != x) {
        before = at;
        at = at->next;
    }
    before->next = x;
    free(at);
    return x;
}

int ring_length(struct cnode *x) {
    int n = 0;
    if (x) {
        struct cnode *at = x;
        do {
            n++;
            at = at->next;
        } while (at != x);
    }
    return n;
}

void ring_dispose(struct cnode *x) {
    if (!x) return;
    struct cnode *at = x->next;
    while (at != x) {
        struct cnode *next = at->next;
        free(at);
        at = next;
    }
    free(x);
}

struct dring {
    int key;
    struct dring *next, *prev;
};

void dring_insert(struct dring *head, int k) {
    struct dring *fresh = malloc(sizeof(*fresh));
    fresh->key = k;
    fresh->next = head->next;
    fresh->prev = head;
    head->next->prev = fresh;
    head->next = fresh;
}

void dring_remove(struct dring *x) {
    x->prev->next = x->next;
    x->next->prev = x->prev;
    free(x);
}

int dring_sum(struct dring *head) {
    int sum = 0;
    for (struct dring *at = head->next; at != head; at = at->next) sum ^= at->key;
    return sum;
}
