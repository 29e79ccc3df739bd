// expect: proved-or-unknown
// A red node stands before a black one only.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node { struct node *next; int red; };

static struct node *push(struct node *list, int red) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->next = list;
    n->red = red;
    return n;
}

int main(void) {
    struct node *list = push(NULL, 0);
    while (__VERIFIER_nondet_int()) {
        list = push(list, 0);
        if (__VERIFIER_nondet_int()) list = push(list, 1);
    }
    while (list) {
        struct node *gone = list;
        list = list->next;
        if (gone->red) {
            if (list->red) list->next->next->red = 0;
            list->red = 0;
        }
        free(gone);
    }
    return 0;
}
