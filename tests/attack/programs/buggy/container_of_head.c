// expect: unsafe-or-unknown
// The list's head is no element, and is taken for one.
#include <stddef.h>

struct link { struct link *next; };
struct item { int value[20]; struct link link; };

int main(void) {
    struct link head = {&head};
    struct item *first = (struct item *)((char *)head.next - offsetof(struct item, link));
    return first->value[18];
}
