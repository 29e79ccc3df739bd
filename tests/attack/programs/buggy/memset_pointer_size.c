// expect: unsafe-or-unknown
// sizeof of the pointer clears only a part.
#include <stdlib.h>
#include <string.h>

struct item { long key; struct item *next; };

int main(void) {
    struct item *it = malloc(sizeof *it);
    if (!it) return 1;
    memset(it, 0, sizeof it);
    while (it->next) it = it->next;
    free(it);
    return 0;
}
