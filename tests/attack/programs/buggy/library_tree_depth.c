// expect: unsafe-or-unknown
// Only one child is looked at before both are followed.
struct tree { struct tree *left, *right; };

//@ requires tree(t)
//@ ensures tree(t)
int leaves(struct tree *t) {
    if (!t) return 0;
    if (!t->left) return 1;
    return leaves(t->left) + (t->right->left ? 1 : leaves(t->right));
}
