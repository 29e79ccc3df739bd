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

//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures ls(o, NULL, \t -> ls(t, NULL))
int sum(const outer *o) {
    int s = 0;
    for (const outer *p = o; p != NULL; p = p->next)
        for (const inner *q = p->row; q != NULL; q = q->next)
            s += q->val;
    return s;
}
