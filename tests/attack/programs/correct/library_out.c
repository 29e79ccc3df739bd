// expect: proved-or-unknown
// A result through a pointer.
#include <stdlib.h>

static int fetch(int key, int **out) {
    if (key < 0) return -1;
    *out = malloc(sizeof(int));
    if (!*out) return -1;
    **out = key;
    return 0;
}

int lookup(int key) {
    int *p = NULL;
    if (fetch(key, &p) != 0) return -1;
    int v = *p;
    free(p);
    return v;
}
