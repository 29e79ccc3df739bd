// expect: unsafe-or-unknown
// The head is moved while walking; only the end is freed.
#include <stdlib.h>

struct node { int data; struct node *next; };

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof(struct node));
        if (!n) exit(1);
        n->data = i;
        n->next = head;
        head = n;
    }
    while (head->next) head = head->next;
    free(head);
    return 0;
}
