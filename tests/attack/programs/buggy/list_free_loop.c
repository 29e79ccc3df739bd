// expect: unsafe-or-unknown
// The cell is read after free.
#include <stdlib.h>

struct node { int data; struct node *next; };

int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b) exit(1);
    a->next = b;
    b->next = NULL;
    for (struct node *p = a; p; p = p->next) free(p);
    return 0;
}
