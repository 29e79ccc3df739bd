// expect: proved-or-unknown
// calloc gives NULL pointers.
#include <stdlib.h>

struct node { struct node *left, *right; };

int main(void) {
    struct node *n = calloc(1, sizeof *n);
    if (!n) return 1;
    int empty = n->left == NULL && n->right == NULL;
    free(n);
    return !empty;
}
