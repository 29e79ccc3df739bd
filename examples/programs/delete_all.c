// expect: proved
// Free every cell that holds the key, wherever it stands.
#include <stdlib.h>

typedef struct list {
    int key;
    struct list *next;
} list;

//@ requires ls(x, NULL)
//@ ensures ls(\result, NULL)
list *delete_all(list *x, int key) {
    while (x != NULL && x->key == key) {
        list *t = x;
        x = x->next;
        free(t);
    }
    if (x == NULL) return NULL;
    list *prev = x;
    while (prev->next != NULL) {
        list *cur = prev->next;
        if (cur->key == key) {
            prev->next = cur->next;
            free(cur);
        } else {
            prev = cur;
        }
    }
    return x;
}
