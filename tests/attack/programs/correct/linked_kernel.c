// expect: proved-or-unknown
// A list with its links in the middle, and a head on the frame.
#include <stddef.h>
#include <stdlib.h>

struct link { struct link *next, *prev; };
struct thing { int id; struct link link; };
#define THING(l) ((struct thing *)((char *)(l)-offsetof(struct thing, link)))

static void add(struct link *head, struct link *l) {
    l->next = head->next;
    l->prev = head;
    head->next->prev = l;
    head->next = l;
}

int main(void) {
    struct link head = {&head, &head};
    for (int i = 0; i < 3; i++) {
        struct thing *t = malloc(sizeof *t);
        if (!t) abort();
        t->id = i;
        add(&head, &t->link);
    }
    while (head.next != &head) {
        struct link *l = head.next;
        head.next = l->next;
        l->next->prev = &head;
        free(THING(l));
    }
    return 0;
}
