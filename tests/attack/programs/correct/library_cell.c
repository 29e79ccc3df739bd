// expect: proved-or-unknown
// One cell is enough.
struct node { int v; struct node *next; };

void init(struct node *n) {
    n->v = 0;
    n->next = 0;
}
