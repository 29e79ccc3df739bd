// expect: unsafe-or-unknown
// A loop looks for an end that is not there.
#include <stdlib.h>

int main(void) {
    char *b = malloc(4);
    int n = 0;
    if (!b) return 1;
    for (int i = 0; i < 4; i++) b[i] = 'x';
    while (b[n]) n++;
    free(b);
    return n;
}
