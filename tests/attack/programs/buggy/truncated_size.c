// expect: unsafe-or-unknown
// The length does not fit into unsigned char.
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t want = 260;
    unsigned char n = want;
    char *p = malloc(n);
    if (!p) return 1;
    memset(p, 0, want);
    free(p);
    return 0;
}
