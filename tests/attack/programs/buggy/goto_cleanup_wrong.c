// expect: unsafe-or-unknown
// The wrong label: one of two is lost.
#include <stdlib.h>

static int work(int mode) {
    int rc = -1;
    char *a = malloc(4), *b = NULL;
    if (!a) return rc;
    b = malloc(4);
    if (!b) goto free_a;
    if (mode == 2) goto free_a;
    rc = 0;
    free(b);
free_a:
    free(a);
    return rc;
}

int main(void) { return work(1) + work(2) + 1; }
