// expect: unsafe-or-unknown
// A ring nobody points to.
#include <stdlib.h>

struct n { struct n *next; };

int main(void) {
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) abort();
    a->next = b;
    b->next = a;
    a = b = NULL;
    return a == b ? 0 : 1;
}
