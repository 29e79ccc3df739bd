// expect: proved-or-unknown
// A table of lists.
#include <stdlib.h>

#define SLOTS 4
struct entry { int key; struct entry *next; };

int main(void) {
    struct entry *table[SLOTS] = {NULL};
    for (int key = 0; key < 6; key++) {
        struct entry *e = malloc(sizeof *e);
        if (!e) abort();
        e->key = key;
        e->next = table[(unsigned)key % SLOTS];
        table[(unsigned)key % SLOTS] = e;
    }
    for (int s = 0; s < SLOTS; s++)
        while (table[s]) {
            struct entry *t = table[s]->next;
            free(table[s]);
            table[s] = t;
        }
    return 0;
}
