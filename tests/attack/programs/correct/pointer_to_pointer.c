// expect: proved-or-unknown
// A pointer to a pointer, two levels.
#include <stdlib.h>

static void set(int **out) {
    *out = malloc(sizeof **out);
    if (!*out) exit(1);
    **out = 7;
}
static void clear(int **p) {
    free(*p);
    *p = NULL;
}

int main(void) {
    int *p = NULL;
    set(&p);
    int v = *p;
    clear(&p);
    return v == 7 && p == NULL ? 0 : 1;
}
