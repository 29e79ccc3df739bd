// expect: unsafe-or-unknown
// A flag says what a node owns, and is not asked.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct plain { int owns; struct plain *next; };
struct owner { struct plain plain; int *data; };

int main(void) {
    struct plain *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct plain *p;
        if (__VERIFIER_nondet_int() > 2) {
            struct owner *o = malloc(sizeof *o);
            if (!o) abort();
            o->data = malloc(sizeof *o->data);
            if (!o->data) abort();
            *o->data = 1;
            p = &o->plain;
            p->owns = 1;
        } else {
            p = malloc(sizeof *p);
            if (!p) abort();
            p->owns = 0;
        }
        p->next = list;
        list = p;
    }
    while (list) {
        struct plain *next = list->next;
        free(((struct owner *)list)->data);
        free(list);
        list = next;
    }
    return 0;
}
