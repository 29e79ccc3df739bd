// expect: unsafe-or-unknown
// Removing the first of a bucket leaves the table's pointer.
#include <stdlib.h>

struct entry { int key; struct entry *next; };
static struct entry *table[2];

static void put(int key) {
    struct entry *e = malloc(sizeof *e);
    if (!e) abort();
    e->key = key;
    e->next = table[key & 1];
    table[key & 1] = e;
}
static void del(int key) {
    struct entry *e = table[key & 1];
    if (e && e->key == key) free(e);
}

int main(void) {
    put(3);
    del(3);
    del(3);
    return 0;
}
