// expect: unsafe-or-unknown
// goto back to before the use, after free.
#include <stdlib.h>

int main(void) {
    int round = 0, *p = malloc(sizeof *p);
    if (!p) return 1;
again:
    *p = round;
    if (round == 0) {
        free(p);
        round++;
        goto again;
    }
    return 0;
}
