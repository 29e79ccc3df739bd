// expect: proved-or-unknown
// A flexible array with room.
#include <stdlib.h>

struct packet { int n; int words[]; };

int main(void) {
    int n = 4;
    struct packet *p = malloc(sizeof *p + n * sizeof p->words[0]);
    if (!p) return 1;
    p->n = n;
    for (int i = 0; i < p->n; i++) p->words[i] = i;
    free(p);
    return 0;
}
