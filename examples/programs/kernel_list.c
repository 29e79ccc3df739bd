// expect: proved
// A list as Linux has it: links inside of the items, a ring around a head that is no item.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};
struct item {
    int value;
    struct link link;
};

static struct link head = {&head, &head};
extern int __VERIFIER_nondet_int(void);

static void insert(struct item *item) {
    item->link.next = head.next;
    item->link.prev = &head;
    head.next->prev = &item->link;
    head.next = &item->link;
}

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        if (!item) return 1;
        item->value = __VERIFIER_nondet_int();
        insert(item);
    }
    while (head.next != &head) {
        struct item *item = (struct item *)((char *)head.next - offsetof(struct item, link));
        head.next = item->link.next;
        head.next->prev = &head;
        free(item);
    }
    return 0;
}
