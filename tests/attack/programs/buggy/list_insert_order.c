// expect: unsafe-or-unknown
// The new cell points to itself: the loop that frees frees it twice.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *head = malloc(sizeof *head);
    if (!head) return 1;
    head->next = NULL;
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh) exit(1);
    head->next = fresh;
    fresh->next = head->next;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
