// expect: unsafe-or-unknown
// Two nodes of a list that hangs on the third of a list need not have the same number.
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct inner {
    struct inner *next;
    int key;
};
struct outer {
    struct outer *next;
    struct inner *items;
};

int main(void) {
    struct outer *list = NULL;
    for (int rows = 3 + (__VERIFIER_nondet_int() & 3); rows > 0; rows--) {
        struct outer *row = malloc(sizeof *row);
        row->next = list;
        row->items = NULL;
        list = row;
        for (int count = 2 + (__VERIFIER_nondet_int() & 3); count > 0; count--) {
            struct inner *item = malloc(sizeof *item);
            item->key = __VERIFIER_nondet_int();
            item->next = row->items;
            row->items = item;
        }
    }
    struct inner *first = list->next->next->items;
    if (first->key != first->next->key) {
        int *nowhere = NULL;
        *nowhere = 1;
    }
    while (list) {
        struct outer *row = list;
        list = row->next;
        while (row->items) {
            struct inner *item = row->items;
            row->items = item->next;
            free(item);
        }
        free(row);
    }
    return 0;
}
