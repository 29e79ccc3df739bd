// expect: proved
// Add a value at the end, through a pointer to the head.
#include <stdio.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    int value;
    Node *next;
};

static Node *make_node(int value) {
    Node *n = (Node *)malloc(sizeof(Node));
    if (!n) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    n->value = value;
    n->next = NULL;
    return n;
}

//@ requires exists h . head |-> {deref: h} * ls(h, NULL)
//@ ensures exists h . head |-> {deref: h} * ls(h, NULL)
void append(Node **head, int value) {
    Node *n = make_node(value);
    if (*head == NULL) {
        *head = n;
        return;
    }
    Node *last = *head;
    while (last->next)
        last = last->next;
    last->next = n;
}
