// expect: unsafe-or-unknown
// A string literal is freed.
#include <stdlib.h>

int main(void) {
    char *name = "nobody";
    if (getenv("A_NAME_THAT_NOBODY_SETS")) name = malloc(3);
    free(name);
    return 0;
}
