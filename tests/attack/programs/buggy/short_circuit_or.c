// expect: unsafe-or-unknown
// || stops before the second free is skipped over.
#include <stdlib.h>

static int drop(char *p) {
    free(p);
    return 1;
}

int main(void) {
    char *a = malloc(1), *b = malloc(1);
    if (drop(a) || drop(b)) return 0;
    return 1;
}
