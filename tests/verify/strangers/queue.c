// Queues with a head of their own, tail queues, regions of memory.
#include <stdlib.h>

struct qitem {
    int value;
    struct qitem *next;
};

struct queue {
    struct qitem *first;
    struct qitem *last;
};

void queue_init(struct queue *q) {
    q->first = NULL;
    q->last = NULL;
}

void queue_push(struct queue *q, int v) {
    struct qitem *n = malloc(sizeof(*n));
    n->value = v;
    n->next = NULL;
    if (q->first == NULL)
        q->first = n;
    else
        q->last->next = n;
    q->last = n;
}

void queue_push_front(struct queue *q, int v) {
    struct qitem *n = malloc(sizeof(*n));
    n->value = v;
    n->next = q->first;
    if (q->first == NULL) q->last = n;
    q->first = n;
}

int queue_pop(struct queue *q) {
    struct qitem *n = q->first;
    if (n == NULL) return -1;
    int v = n->value;
    q->first = n->next;
    if (q->first == NULL) q->last = NULL;
    free(n);
    return v;
}

void queue_clear(struct queue *q) {
    struct qitem *at = q->first;
    while (at) {
        struct qitem *n = at->next;
        free(at);
        at = n;
    }
    q->first = q->last = NULL;
}

// As the BSD macros make them: the last link is known by its address.
struct sq_entry {
    int v;
    struct sq_entry *sqe_next;
};
struct sq_head {
    struct sq_entry *sqh_first;
    struct sq_entry **sqh_last;
};

void simpleq_init(struct sq_head *h) {
    h->sqh_first = NULL;
    h->sqh_last = &h->sqh_first;
}

void simpleq_insert_head(struct sq_head *head, struct sq_entry *elm) {
    if ((elm->sqe_next = head->sqh_first) == NULL) head->sqh_last = &elm->sqe_next;
    head->sqh_first = elm;
}

void simpleq_insert_tail(struct sq_head *head, struct sq_entry *elm) {
    elm->sqe_next = NULL;
    *head->sqh_last = elm;
    head->sqh_last = &elm->sqe_next;
}

void simpleq_insert_after(struct sq_head *head, struct sq_entry *at, struct sq_entry *elm) {
    if ((elm->sqe_next = at->sqe_next) == NULL) head->sqh_last = &elm->sqe_next;
    at->sqe_next = elm;
}

void simpleq_remove_head(struct sq_head *head) {
    if ((head->sqh_first = head->sqh_first->sqe_next) == NULL) head->sqh_last = &head->sqh_first;
}

void simpleq_remove_after(struct sq_head *head, struct sq_entry *elm) {
    if ((elm->sqe_next = elm->sqe_next->sqe_next) == NULL) head->sqh_last = &elm->sqe_next;
}

// A region: where it begins, how long it is, and its neighbours.
struct region {
    unsigned begin, size;
    int user;
    struct region *next, *prev;
};

struct region *region_add(struct region *list, unsigned begin, unsigned size) {
    struct region *r = malloc(sizeof *r);
    r->begin = begin;
    r->size = size;
    r->user = 0;
    r->prev = NULL;
    r->next = list;
    if (list) list->prev = r;
    return r;
}

struct region *region_find(struct region *list, unsigned at) {
    while (list) {
        if (list->begin <= at && at < list->begin + list->size) return list;
        list = list->next;
    }
    return NULL;
}

struct region *region_split(struct region *list, unsigned at) {
    struct region *r = region_find(list, at);
    if (r && at > r->begin) {
        struct region *n = malloc(sizeof *n);
        n->begin = at;
        n->size = r->begin + r->size - at;
        n->user = r->user;
        n->next = r->next;
        n->prev = r;
        if (r->next) r->next->prev = n;
        r->next = n;
        r->size = at - r->begin;
    }
    return list;
}

struct region *region_remove(struct region *list, unsigned at) {
    struct region *r = region_find(list, at);
    if (!r) return list;
    if (r->prev)
        r->prev->next = r->next;
    else
        list = r->next;
    if (r->next) r->next->prev = r->prev;
    free(r);
    return list;
}

struct region *region_join(struct region *list) {
    struct region *at = list;
    while (at && at->next) {
        struct region *n = at->next;
        if (at->begin + at->size == n->begin && at->user == n->user) {
            at->size += n->size;
            at->next = n->next;
            if (n->next) n->next->prev = at;
            free(n);
        } else {
            at = n;
        }
    }
    return list;
}

// A stack with a count.
struct stack {
    int count;
    struct qitem *top;
};

struct stack *stack_new(void) {
    struct stack *s = malloc(sizeof *s);
    s->count = 0;
    s->top = NULL;
    return s;
}

void stack_push(struct stack *s, int v) {
    struct qitem *n = malloc(sizeof *n);
    n->value = v;
    n->next = s->top;
    s->top = n;
    s->count++;
}

int stack_pop(struct stack *s) {
    if (!s->top) return 0;
    struct qitem *n = s->top;
    int v = n->value;
    s->top = n->next;
    s->count--;
    free(n);
    return v;
}

void stack_free(struct stack *s) {
    while (s->top) stack_pop(s);
    free(s);
}
