// expect: unsafe-or-unknown
// Deleting the head leaves the caller's pointer behind.
#include <stdlib.h>

struct node { int data; struct node *next; };

static void delete_key(struct node *head, int key) {
    struct node *prev = NULL, *cur = head;
    while (cur && cur->data != key) {
        prev = cur;
        cur = cur->next;
    }
    if (!cur) return;
    if (prev) prev->next = cur->next;
    free(cur);
}

int main(void) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->data = 1;
    n->next = NULL;
    delete_key(n, 1);
    return n->data;
}
