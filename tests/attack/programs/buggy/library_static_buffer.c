// expect: unsafe-or-unknown
// Text of a static buffer is freed by its user.
#include <stdio.h>
#include <stdlib.h>

static char *describe(int n) {
    static char text[32];
    snprintf(text, sizeof text, "number %d", n);
    return text;
}

int report(int n) {
    char *t = describe(n);
    int c = t[0];
    free(t);
    return c;
}
