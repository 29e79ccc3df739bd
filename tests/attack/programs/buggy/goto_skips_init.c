// expect: unsafe-or-unknown
// goto over an initialisation, the second time.
#include <stdlib.h>

int main(void) {
    int round = 0;
again:
    if (round == 1) goto out;
    char *p = malloc(3);
    if (!p) return 1;
out:
    free(p);
    if (round++ == 0) goto again;
    return 0;
}
