// expect: proved
#include <stdio.h>

struct bst { struct bst *l; struct bst *r; int data; };

//@ requires tree(root)
//@ ensures tree(root)
void in_order(struct bst *root) {
    if (root != NULL) {
        in_order(root->l);
        printf("%d ", root->data);
        in_order(root->r);
    }
}

//@ requires tree(root)
//@ ensures tree(root)
int height(struct bst *root) {
    if (root == NULL) return 0;
    int a = height(root->l), b = height(root->r);
    return 1 + (a > b ? a : b);
}
