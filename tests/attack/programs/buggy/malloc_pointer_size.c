// expect: unsafe-or-unknown
// sizeof(pointer) instead of sizeof(struct).
#include <stdlib.h>

typedef struct node { int key, weight; struct node *left, *right; } node;

int main(void) {
    node *n = malloc(sizeof(n));
    if (!n) return 1;
    n->left = n->right = NULL;
    free(n);
    return 0;
}
