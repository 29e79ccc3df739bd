// expect: proved-or-unknown
// A struct is cleared, and its pointer is NULL then.
#include <stdlib.h>
#include <string.h>

struct s { int n; struct s *next; };

int main(void) {
    struct s *p = malloc(sizeof *p);
    if (!p) return 1;
    memset(p, 0, sizeof *p);
    while (p->next) p = p->next;
    free(p);
    return 0;
}
