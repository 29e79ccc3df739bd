// expect: unsafe-or-unknown
// Only one cell is promised, two are followed.
struct node { int v; struct node *next; };

//@ requires exists n . p |-> {next: n} * n = NULL
int second(struct node *p) { return p->next->v; }
