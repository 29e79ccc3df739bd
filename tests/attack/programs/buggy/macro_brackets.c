// expect: unsafe-or-unknown
// A macro without brackets.
#include <stdlib.h>
#define COUNT 2 + 3

int main(void) {
    int *a = malloc(sizeof(int) * COUNT);
    if (!a) return 1;
    a[4] = 1;
    free(a);
    return 0;
}
