// expect: proved-or-unknown
// A queue with head and tail.
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
static int get(struct queue *q, int *v) {
    struct node *n = q->head;
    if (!n) return 0;
    *v = n->v;
    q->head = n->next;
    if (!q->head) q->tail = NULL;
    free(n);
    return 1;
}

int main(void) {
    struct queue q = {NULL, NULL};
    int v = 0, sum = 0;
    put(&q, 1);
    put(&q, 2);
    get(&q, &v);
    put(&q, 3);
    while (get(&q, &v)) sum += v;
    return sum == 5 ? 0 : 1;
}
