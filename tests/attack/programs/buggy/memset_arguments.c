// expect: unsafe-or-unknown
// The last two arguments of memset are exchanged: nothing is cleared.
#include <stdlib.h>
#include <string.h>

struct s { struct s *next; int v; };

int main(void) {
    struct s *p = malloc(sizeof *p);
    if (!p) return 1;
    memset(p, sizeof *p, 0);
    if (p->next) p->next->v = 1;
    free(p);
    return 0;
}
