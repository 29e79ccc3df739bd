// expect: unsafe-or-unknown
// The inner declaration takes the block with it.
#include <stdlib.h>

int main(void) {
    char *s = NULL;
    for (int i = 0; i < 1; i++) {
        char *s = malloc(3);
        if (s) s[0] = 0;
    }
    free(s);
    return 0;
}
