// expect: unsafe-or-unknown
// After the last element the tail is stale.
#include <stdlib.h>

struct node { int v; struct node *next; };
struct queue { struct node *head, *tail; };

static void put(struct queue *q, int v) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->v = v;
    n->next = NULL;
    if (q->tail) q->tail->next = n;
    else q->head = n;
    q->tail = n;
}
static int get(struct queue *q) {
    struct node *n = q->head;
    int v = n->v;
    q->head = n->next;
    free(n);
    return v;
}

int main(void) {
    struct queue q = {NULL, NULL};
    put(&q, 1);
    get(&q);
    put(&q, 2);
    return get(&q);
}
