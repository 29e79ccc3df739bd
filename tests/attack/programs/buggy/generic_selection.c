// expect: unsafe-or-unknown
// _Generic selects the size for the wrong type.
#include <stdlib.h>
#define ROOM(x) _Generic((x), char *: 1, int *: 2, default: 8)

int main(void) {
    int *p = 0;
    p = malloc(ROOM(p));
    if (!p) return 1;
    *p = 1;
    free(p);
    return 0;
}
