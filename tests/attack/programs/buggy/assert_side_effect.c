// expect: unsafe-or-unknown
// An assert about the length of a list.
#include <assert.h>
#include <stdlib.h>

struct n { struct n *next; };
static int length(struct n *l) { return l ? 1 + length(l->next) : 0; }

int main(void) {
    struct n b = {NULL}, a = {&b};
    assert(length(&a) == 3);
    return 0;
}
