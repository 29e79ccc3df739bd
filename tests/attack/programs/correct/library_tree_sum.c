// expect: proved-or-unknown
// The sum of a tree.
struct tree { int v; struct tree *left, *right; };

//@ requires tree(t)
//@ ensures tree(t)
unsigned sum(struct tree *t) {
    if (!t) return 0;
    return (unsigned)t->v + sum(t->left) + sum(t->right);
}
