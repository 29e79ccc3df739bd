// expect: unsafe-or-unknown
// The last bucket is never freed.
#include <stdlib.h>

#define BUCKETS 4
struct entry { struct entry *next; };

int main(void) {
    struct entry *t[BUCKETS] = {0};
    for (int i = 0; i < BUCKETS; i++) {
        t[i] = malloc(sizeof(struct entry));
        if (!t[i]) abort();
        t[i]->next = NULL;
    }
    for (int i = 0; i < BUCKETS - 1; i++) free(t[i]);
    return 0;
}
