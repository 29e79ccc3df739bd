// expect: unsafe-or-unknown
// NULL is tested for, and followed then.
struct item { int val; struct item *next; };

int value_of(struct item *p) {
    if (p == 0) return p->val;
    return p->val;
}
