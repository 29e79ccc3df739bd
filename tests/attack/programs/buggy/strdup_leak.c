// expect: unsafe-or-unknown
// The copy is never freed.
#include <stdlib.h>
#include <string.h>

static int same(const char *a, const char *b) {
    char *copy = strdup(a);
    return copy ? strcmp(copy, b) == 0 : 0;
}

int main(void) { return same("a", "b"); }
