// expect: proved
// Drop all cells below a bound, by a pointer to the one before.
#include <stdlib.h>
#include <stdbool.h>

struct item { long key; struct item *nxt; };

static bool keep(const struct item *it, long bound) {
    return it->key >= bound;
}

//@ requires ls(head, NULL)
//@ ensures ls(\result, NULL)
struct item *filter(struct item *head, long bound) {
    struct item *before = NULL, *it = head;
    while (it) {
        struct item *following = it->nxt;
        if (keep(it, bound)) {
            before = it;
        } else {
            if (before) before->nxt = following;
            else head = following;
            free(it);
        }
        it = following;
    }
    return head;
}
