// expect: proved-or-unknown
// A function that only unlinks the cells of its caller.
struct node { int v; struct node *next; };

struct node *drop_second(struct node *l) {
    if (!l || !l->next) return l;
    struct node *second = l->next;
    l->next = second->next;
    second->next = 0;
    return l;
}
