// expect: proved-or-unknown
// An assert that holds.
#include <assert.h>
#include <stddef.h>

struct n { struct n *next; };
static int length(struct n *l) {
    int n = 0;
    for (; l; l = l->next) n++;
    return n;
}

int main(void) {
    struct n b = {NULL}, a = {&b};
    assert(length(&a) == 2);
    return 0;
}
