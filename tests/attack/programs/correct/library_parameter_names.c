// expect: proved-or-unknown
// Parameters that are called like predicates.
struct node { struct node *next; };

int same(struct node *ls, struct node *tree, struct node *none) { return ls == tree || tree == none; }
