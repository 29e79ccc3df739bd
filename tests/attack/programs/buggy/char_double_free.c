// expect: unsafe-or-unknown
// A char * is freed twice.
#include <stdlib.h>

int main(void) {
    char *s = malloc(3);
    free(s);
    free(s);
    return 0;
}
