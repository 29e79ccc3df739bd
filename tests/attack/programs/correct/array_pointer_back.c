// expect: proved-or-unknown
// Backwards from the end.
#include <stdlib.h>

int main(void) {
    char *b = malloc(5);
    if (!b) return 1;
    char *p = b + 5;
    while (p > b) *--p = 'x';
    int ok = b[0] == 'x';
    free(b);
    return !ok;
}
