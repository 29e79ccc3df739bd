// expect: unsafe-or-unknown
// The inner lists are lost.
#include <stdlib.h>

struct inner { struct inner *next; };
struct outer { struct inner *val; struct outer *next; };

//@ requires ls(o, NULL, \t -> ls(t, NULL))
//@ ensures emp
void dispose(struct outer *o) {
    while (o) {
        struct outer *rest = o->next;
        free(o->val);
        free(o);
        o = rest;
    }
}
