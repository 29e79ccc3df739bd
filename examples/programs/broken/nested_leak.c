// expect: unsafe: leak
// Frees the outer cells, and not the rows that hang from them.
#include <stdlib.h>

typedef struct inner {
    int val;
    struct inner *next;
} inner;

typedef struct outer {
    inner *row;
    struct outer *next;
} outer;

//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures emp
void dispose(outer *o) {
    while (o != NULL) {
        outer *next = o->next;
        free(o);
        o = next;
    }
}
