// expect: proved-or-unknown
// Appending through a pointer to the end.
#include <stdlib.h>

typedef struct node { struct node *next; int v; } node;

static void append(node **at, int v) {
    while (*at) at = &(*at)->next;
    *at = malloc(sizeof(node));
    if (!*at) abort();
    (*at)->v = v;
    (*at)->next = NULL;
}

int main(void) {
    node *list = NULL;
    for (int i = 0; i < 3; i++) append(&list, i);
    while (list) {
        node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
