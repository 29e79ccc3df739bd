// expect: proved-or-unknown
// NULL is allowed, since the code tests for it.
struct item { int val; struct item *next; };

int value_or(struct item *p, int otherwise) {
    if (p == 0) return otherwise;
    return p->val;
}
