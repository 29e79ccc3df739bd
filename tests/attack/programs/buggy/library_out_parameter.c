// expect: unsafe-or-unknown
// On failure the result is not set, and used.
#include <stdlib.h>

static int fetch(int key, int **out) {
    if (key < 0) return -1;
    *out = malloc(sizeof(int));
    if (!*out) abort();
    **out = key;
    return 0;
}

int lookup(int key) {
    int *p = NULL;
    fetch(key, &p);
    int v = *p;
    free(p);
    return v;
}
