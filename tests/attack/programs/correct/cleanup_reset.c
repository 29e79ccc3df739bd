// expect: proved-or-unknown
// The cleanup is told that there is nothing left to free.
#include <stdlib.h>

static void drop(char **p) { free(*p); }

int main(void) {
    char *kept = NULL;
    {
        __attribute__((unused, cleanup(drop))) char *p = malloc(4);
        kept = p;
        p = NULL;
    }
    free(kept);
    return 0;
}
