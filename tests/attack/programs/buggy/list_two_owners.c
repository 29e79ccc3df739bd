// expect: unsafe-or-unknown
// Two lists share their end, and both are freed.
#include <stdlib.h>

struct node { struct node *next; };
static struct node *cons(struct node *rest) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->next = rest;
    return n;
}
static void drop(struct node *l) {
    while (l) {
        struct node *t = l;
        l = l->next;
        free(t);
    }
}

int main(void) {
    struct node *common = cons(NULL), *a = cons(common), *b = cons(common);
    drop(a);
    drop(b);
    return 0;
}
