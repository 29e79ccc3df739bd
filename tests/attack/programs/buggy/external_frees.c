// expect: unsafe-or-unknown
// An unknown function frees its argument.
#include <stdlib.h>

void consume(int *p);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 1;
    *p = 5;
    consume(p);
    *p = 6;
    free(p);
    return 0;
}
