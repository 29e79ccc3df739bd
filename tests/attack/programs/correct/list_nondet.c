// expect: proved-or-unknown
// A list of any length.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n) abort();
        n->next = l;
        l = n;
    }
    while (l) {
        struct node *t = l;
        l = l->next;
        free(t);
    }
    return 0;
}
