// expect: unsafe-or-unknown
// The cleanup attribute stands second in its list.
#include <stdlib.h>

typedef struct n { struct n *next; } n;
static void drop(n **p) { free(*p); }

int main(void) {
    __attribute__((unused, cleanup(drop))) n *p = malloc(sizeof(n));
    free(p);
    return 0;
}
