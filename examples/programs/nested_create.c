// expect: proved
// A list of lists: row i has i cells.
#include <stdlib.h>

typedef struct inner {
    int val;
    struct inner *next;
} inner;

typedef struct outer {
    inner *row;
    struct outer *next;
} outer;

//@ ensures ls(\result, NULL)
static inner *make_row(int n) {
    inner *row = NULL;
    for (int i = 0; i < n; i++) {
        inner *cell = malloc(sizeof *cell);
        if (!cell) exit(1);
        cell->val = i;
        cell->next = row;
        row = cell;
    }
    return row;
}

//@ ensures ls(\result, NULL, \t -> ls(t, NULL))
outer *create(int n) {
    outer *all = NULL;
    while (n > 0) {
        outer *o = malloc(sizeof(outer));
        if (!o) exit(1);
        o->row = make_row(n);
        o->next = all;
        all = o;
        n--;
    }
    return all;
}
