// expect: unsafe-or-unknown
// container_of with the wrong member.
#include <stddef.h>
#include <stdlib.h>
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link { struct link *next; };
struct task { struct link ready; struct link sleeping; int id; };

int main(void) {
    struct task *t = malloc(sizeof *t);
    if (!t) return 1;
    t->id = 4;
    struct link *l = &t->ready;
    int id = container_of(l, struct task, sleeping)->ready.next != 0;
    free(t);
    return id;
}
