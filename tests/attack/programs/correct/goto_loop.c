// expect: proved-or-unknown
// A loop made of goto.
#include <stdlib.h>

struct n { struct n *next; };

int main(void) {
    struct n *list = NULL;
    int i = 0;
again:
    if (i < 4) {
        struct n *c = malloc(sizeof *c);
        if (!c) goto done;
        c->next = list;
        list = c;
        i++;
        goto again;
    }
done:
    while (list) {
        struct n *t = list->next;
        free(list);
        list = t;
    }
    return 0;
}
