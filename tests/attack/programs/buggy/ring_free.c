// expect: unsafe-or-unknown
// A ring freed until NULL.
#include <stdlib.h>

struct r { struct r *next; };

int main(void) {
    struct r *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) abort();
    a->next = b;
    b->next = a;
    struct r *p = a;
    while (p != NULL) {
        struct r *n = p->next;
        free(p);
        p = n;
    }
    return 0;
}
