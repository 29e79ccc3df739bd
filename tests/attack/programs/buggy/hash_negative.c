// expect: unsafe-or-unknown
// The hash of a negative key is a negative index.
#include <stdlib.h>

struct entry { int key; struct entry *next; };
static struct entry *table[8];

int main(void) {
    int key = -3;
    struct entry e = {key, NULL};
    e.next = table[key % 8];
    table[key % 8] = &e;
    return 0;
}
