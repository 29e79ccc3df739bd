// expect: proved-or-unknown
// Deleting by key, the head included.
#include <stdlib.h>

struct node { int key; struct node *next; };

static void push(struct node **head, int key) {
    struct node *n = malloc(sizeof *n);
    if (!n) exit(1);
    n->key = key;
    n->next = *head;
    *head = n;
}
static void delete_key(struct node **head, int key) {
    for (struct node **p = head; *p; p = &(*p)->next)
        if ((*p)->key == key) {
            struct node *old = *p;
            *p = old->next;
            free(old);
            return;
        }
}

int main(void) {
    struct node *head = NULL;
    push(&head, 1);
    push(&head, 2);
    delete_key(&head, 2);
    delete_key(&head, 9);
    delete_key(&head, 1);
    return head != NULL;
}
