// expect: proved-or-unknown
// The length of a list, without a contract.
typedef struct node { int val; struct node *next; } node;

int length(const node *l) {
    int n = 0;
    while (l) {
        n++;
        l = l->next;
    }
    return n;
}
