// expect: proved-or-unknown
// One way out for all errors.
#include <stdlib.h>

static int work(int fail) {
    int rc = -1;
    char *a = NULL, *b = NULL;
    a = malloc(4);
    if (!a) goto out;
    b = malloc(8);
    if (!b || fail) goto out;
    a[0] = b[7] = 1;
    rc = 0;
out:
    free(b);
    free(a);
    return rc;
}

int main(void) { return work(0) == 0 && work(1) == -1 ? 0 : 1; }
