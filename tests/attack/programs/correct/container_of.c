// expect: proved-or-unknown
// From a member back to the whole.
#include <stddef.h>
#include <stdlib.h>
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link { struct link *next; };
struct task { int id; struct link link; };

int main(void) {
    struct task *t = malloc(sizeof *t);
    if (!t) return 1;
    t->id = 5;
    t->link.next = NULL;
    struct link *l = &t->link;
    int id = container_of(l, struct task, link)->id;
    free(container_of(l, struct task, link));
    return id == 5 ? 0 : 1;
}
