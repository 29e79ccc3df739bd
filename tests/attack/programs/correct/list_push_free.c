// expect: proved-or-unknown
// A list is built and freed.
#include <stdlib.h>

struct node { int data; struct node *next; };

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof(struct node));
        if (!n) exit(1);
        n->data = i;
        n->next = head;
        head = n;
    }
    while (head != NULL) {
        struct node *t = head;
        head = head->next;
        free(t);
    }
    return 0;
}
