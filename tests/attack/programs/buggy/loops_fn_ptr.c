// expect: unsafe-or-unknown
// fn ptr: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
static void f(int *p) { free(p); }
static void g(int *p) { (void)p; }
int main(void) {
    int *p = malloc(4);
    void (*h)(int *) = __VERIFIER_nondet_int() ? f : g;
    h(p);
    h(p);
    return 0;
}
