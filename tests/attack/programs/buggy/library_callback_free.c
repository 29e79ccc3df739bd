// expect: unsafe-or-unknown
// A callback chosen by the argument frees what is used.
#include <stdlib.h>

static void keep(int *p) { *p = 1; }
static void drop(int *p) { free(p); }

int apply(int which) {
    void (*f)(int *) = which ? keep : drop;
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    f(p);
    int v = *p;
    free(p);
    return v;
}
