// Sorted lists: what they do depends on numbers, what they may touch does not.
#include <stdlib.h>

struct snode {
    int key;
    struct snode *next;
};

struct snode *sorted_concat(struct snode *a, struct snode *b) {
    if (a == NULL) return b;
    a->next = sorted_concat(a->next, b);
    return a;
}

int sorted_find(struct snode *l, int k) {
    if (l == NULL) return 0;
    if (l->key > k) return 0;
    if (l->key == k) return 1;
    return sorted_find(l->next, k);
}

int find_last(struct snode *l) {
    if (l->next == NULL) return l->key;
    return find_last(l->next);
}

struct snode *sorted_insert(struct snode *l, int k) {
    if (l == NULL || l->key >= k) {
        struct snode *fresh = (struct snode *)malloc(sizeof(struct snode));
        fresh->key = k;
        fresh->next = l;
        return fresh;
    }
    l->next = sorted_insert(l->next, k);
    return l;
}

struct snode *sorted_insert_iter(struct snode *l, int k) {
    struct snode *fresh = (struct snode *)malloc(sizeof(struct snode));
    fresh->key = k;
    if (l == NULL || l->key >= k) {
        fresh->next = l;
        return fresh;
    }
    struct snode *before = l, *at = l->next;
    while (at != NULL && at->key < k) {
        before = at;
        at = at->next;
    }
    fresh->next = at;
    before->next = fresh;
    return l;
}

struct snode *insertion_sort(struct snode *l) {
    if (l == NULL) return NULL;
    struct snode *rest = insertion_sort(l->next);
    struct snode *sorted = sorted_insert(rest, l->key);
    free(l);
    return sorted;
}

struct snode *sorted_merge(struct snode *a, struct snode *b) {
    if (a == NULL) return b;
    if (b == NULL) return a;
    if (a->key < b->key) {
        a->next = sorted_merge(a->next, b);
        return a;
    }
    b->next = sorted_merge(a, b->next);
    return b;
}

struct snode *split_list(struct snode *l) {
    struct snode *slow = l, *fast = l, *before = NULL;
    while (fast != NULL && fast->next != NULL) {
        before = slow;
        slow = slow->next;
        fast = fast->next->next;
    }
    if (before != NULL) before->next = NULL;
    return slow;
}

struct snode *split_rec(struct snode *l) {
    if (l == NULL || l->next == NULL) return NULL;
    struct snode *second = l->next;
    struct snode *rest = split_rec(second->next);
    l->next = second->next;
    second->next = rest;
    return second;
}

struct snode *delete_sorted(struct snode *l, int k) {
    if (l == NULL || l->key > k) return l;
    if (l->key == k) {
        struct snode *rest = l->next;
        free(l);
        return delete_sorted(rest, k);
    }
    l->next = delete_sorted(l->next, k);
    return l;
}

struct snode *reverse_sort(struct snode *l) {
    struct snode *r = NULL;
    while (l != NULL) {
        struct snode *t = l->next;
        l->next = r;
        r = l;
        l = t;
    }
    return r;
}

struct snode *remove_duplicates(struct snode *l) {
    struct snode *at = l;
    while (at != NULL && at->next != NULL) {
        if (at->key == at->next->key) {
            struct snode *gone = at->next;
            at->next = gone->next;
            free(gone);
        } else {
            at = at->next;
        }
    }
    return l;
}

// Quick sort: the head is the pivot.
struct snode *partition(struct snode **rest, int pivot) {
    struct snode *low = NULL, *high = NULL, *at = *rest;
    while (at) {
        struct snode *next = at->next;
        if (at->key < pivot) {
            at->next = low;
            low = at;
        } else {
            at->next = high;
            high = at;
        }
        at = next;
    }
    *rest = high;
    return low;
}
