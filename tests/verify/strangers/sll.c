// Singly-linked lists as library functions are written, by loops and by recursion.
#include <stdlib.h>

typedef struct node {
    int key;
    struct node *next;
} Node;

Node *append_rec(Node *x, Node *y) {
    if (x == NULL) return y;
    Node *rest = append_rec(x->next, y);
    x->next = rest;
    return x;
}

Node *copy_rec(const Node *x) {
    if (x == NULL) return NULL;
    Node *rest = copy_rec(x->next);
    Node *fresh = (Node *)malloc(sizeof(Node));
    fresh->key = x->key;
    fresh->next = rest;
    return fresh;
}

Node *delete_all(Node *x, int k) {
    if (x == NULL) return x;
    if (x->key == k) {
        Node *rest = delete_all(x->next, k);
        free(x);
        return rest;
    }
    x->next = delete_all(x->next, k);
    return x;
}

int find_rec(Node *x, int k) {
    if (x == NULL) return 0;
    if (x->key == k) return 1;
    return find_rec(x->next, k);
}

Node *insert_back(Node *x, int k) {
    if (x == NULL) {
        Node *tail = (Node *)malloc(sizeof(Node));
        tail->key = k;
        tail->next = NULL;
        return tail;
    }
    x->next = insert_back(x->next, k);
    return x;
}

Node *insert_front(Node *x, int k) {
    Node *head = (Node *)malloc(sizeof(Node));
    head->key = k;
    head->next = x;
    return head;
}

Node *insert_before(Node *x, int at, int k) {
    if (x == NULL) return insert_front(NULL, k);
    if (x->key == at) {
        Node *fresh = (Node *)malloc(sizeof(Node));
        fresh->key = k;
        fresh->next = x;
        return fresh;
    }
    x->next = insert_before(x->next, at, k);
    return x;
}

Node *reverse_iter(Node *x) {
    Node *done = NULL;
    while (x != NULL) {
        Node *rest = x->next;
        x->next = done;
        done = x;
        x = rest;
    }
    return done;
}

void dispose_rec(Node *x) {
    if (x != NULL) {
        dispose_rec(x->next);
        free(x);
    }
}

int length(const Node *x) {
    int n = 0;
    for (; x; x = x->next) n++;
    return n;
}

Node *last(Node *x) {
    if (x == NULL) return NULL;
    while (x->next != NULL) x = x->next;
    return x;
}

Node *concat_iter(Node *a, Node *b) {
    if (a == NULL) return b;
    Node *at = a;
    while (at->next != NULL) at = at->next;
    at->next = b;
    return a;
}

Node *filter_iter(Node *x) {
    Node *before = NULL, *at = x, *result = x;
    while (at != NULL) {
        Node *old = at;
        at = at->next;
        if (old->key < 0) {
            if (before == NULL)
                result = at;
            else
                before->next = at;
            free(old);
        } else {
            before = old;
        }
    }
    return result;
}

Node *create(int n) {
    Node *x = NULL;
    for (int i = 0; i < n; i++) {
        Node *fresh = malloc(sizeof(Node));
        fresh->key = i;
        fresh->next = x;
        x = fresh;
    }
    return x;
}

Node *rotate_once(Node *x) {
    if (x == NULL || x->next == NULL) return x;
    Node *second = x->next, *end = second;
    while (end->next) end = end->next;
    end->next = x;
    x->next = NULL;
    return second;
}

Node *swap_first_two(Node *x) {
    Node *second = x->next;
    x->next = second->next;
    second->next = x;
    return second;
}

void remove_second(Node *x) {
    if (x != NULL && x->next != NULL) {
        Node *gone = x->next;
        x->next = gone->next;
        free(gone);
    }
}

Node *merge_iter(Node *a, Node *b) {
    Node *first = NULL, *end = NULL;
    while (a != NULL || b != NULL) {
        Node *taken;
        if (b == NULL || (a != NULL && a->key <= b->key)) {
            taken = a;
            a = a->next;
        } else {
            taken = b;
            b = b->next;
        }
        if (end == NULL)
            first = taken;
        else
            end->next = taken;
        end = taken;
    }
    if (end != NULL) end->next = NULL;
    return first;
}

Node *zip(Node *a, Node *b) {
    if (a == NULL) return b;
    Node *rest = zip(b, a->next);
    a->next = rest;
    return a;
}

Node *reverse_rec(Node *x, Node *done) {
    if (x == NULL) return done;
    Node *rest = x->next;
    x->next = done;
    return reverse_rec(rest, x);
}

Node *pairwise_sum(Node *x, Node *y) {
    Node *first = NULL, *end = NULL;
    while (x != NULL && y != NULL) {
        Node *fresh = malloc(sizeof(Node));
        fresh->key = x->key + y->key;
        fresh->next = NULL;
        if (end == NULL)
            first = fresh;
        else
            end->next = fresh;
        end = fresh;
        x = x->next;
        y = y->next;
    }
    return first;
}

void set_all(Node *x, int k) {
    if (!x) return;
    x->key = k;
    set_all(x->next, k);
}
