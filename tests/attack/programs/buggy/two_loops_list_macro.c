// expect: unsafe-or-unknown
// Build and free in one line; the second loop forgets the first cell.
#include <stdlib.h>

struct n { struct n *next; };
#define BUILD_AND_FREE(h) for (int i = 0; i < 2; i++) { struct n *c = malloc(sizeof *c); if (!c) abort(); c->next = h; h = c; } while (h && h->next) { struct n *t = h->next; free(h); h = t; }

int main(void) {
    struct n *h = NULL;
    BUILD_AND_FREE(h)
    return 0;
}
