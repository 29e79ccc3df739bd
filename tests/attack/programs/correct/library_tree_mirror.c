// expect: proved-or-unknown
// Left and right are exchanged.
struct tree { struct tree *left, *right; };

//@ requires tree(t)
//@ ensures tree(t)
void mirror(struct tree *t) {
    if (t == 0) return;
    struct tree *l = t->left;
    t->left = t->right;
    t->right = l;
    mirror(t->left);
    mirror(t->right);
}
