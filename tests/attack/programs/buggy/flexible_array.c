// expect: unsafe-or-unknown
// The flexible array gets no room.
#include <stdlib.h>

struct packet { int n; char bytes[]; };

int main(void) {
    struct packet *p = malloc(sizeof *p);
    if (!p) return 1;
    p->n = 4;
    for (int i = 0; i < p->n; i++) p->bytes[i] = 0;
    free(p);
    return 0;
}
