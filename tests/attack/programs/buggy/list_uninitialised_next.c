// expect: unsafe-or-unknown
// next of the last cell is never set.
#include <stdlib.h>

struct node { int v; struct node *next; };

int main(void) {
    struct node *n = malloc(sizeof(struct node));
    int count = 0;
    if (!n) return 1;
    n->v = 1;
    for (struct node *p = n; p; p = p->next) count++;
    free(n);
    return count;
}
