// expect: proved
#include <stdlib.h>

typedef struct inner {
    int val;
    struct inner *next;
} inner;

typedef struct outer {
    inner *row;
    struct outer *next;
} outer;

//@ requires ls(row, NULL)
//@ ensures emp
static void free_row(inner *row) {
    while (row) {
        inner *next = row->next;
        free(row);
        row = next;
    }
}

//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures emp
void dispose(outer *o) {
    while (o) {
        outer *next = o->next;
        free_row(o->row);
        free(o);
        o = next;
    }
}
