// expect: proved-or-unknown
// A doubly-linked list, there and back.
struct d { int v; struct d *next, *prev; };

//@ requires exists z . dll(x, z, NULL, NULL)
unsigned both_ways(struct d *x) {
    unsigned n = 0;
    if (!x) return 0;
    while (x->next) {
        x = x->next;
        n++;
    }
    while (x->prev) {
        x = x->prev;
        n++;
    }
    return n;
}
