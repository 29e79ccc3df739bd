// expect: unsafe-or-unknown
// A list is freed before the recursion follows it.
#include <stdlib.h>

typedef struct list { int head; struct list *tail; } list;

static void drop(list *l) {
    if (!l) return;
    free(l);
    drop(l->tail);
}

int main(void) {
    list *l = malloc(sizeof *l);
    if (!l) return 1;
    l->tail = NULL;
    drop(l);
    return 0;
}
