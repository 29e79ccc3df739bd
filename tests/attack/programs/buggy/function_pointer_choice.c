// expect: unsafe-or-unknown
// One of the functions of the table frees.
#include <stdlib.h>

static void keep(char *p) { p[0] = 0; }
static void drop(char *p) { free(p); }
static void (*const actions[])(char *) = {keep, drop};

int main(void) {
    char *p = malloc(2);
    if (!p) return 1;
    for (int i = 0; i < 2; i++) actions[i](p);
    p[1] = 0;
    return 0;
}
