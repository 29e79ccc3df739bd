// expect: proved-or-unknown
// Once around a ring.
struct ring { int v; struct ring *next; };

//@ requires ls+(x, x)
//@ ensures ls+(x, x)
unsigned around(struct ring *x) {
    unsigned n = 1;
    for (struct ring *p = x->next; p != x; p = p->next) n++;
    return n;
}
