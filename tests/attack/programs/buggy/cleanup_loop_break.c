// expect: unsafe-or-unknown
// Leaving a loop by break runs the cleanup; the pointer is used afterwards.
#include <stdlib.h>

static void drop(int **p) { free(*p); }

int main(void) {
    int *outer = 0;
    for (int i = 0; i < 3; i++) {
        __attribute__((cleanup(drop))) int *p = malloc(sizeof(int));
        if (!p) abort();
        *p = i;
        outer = p;
        if (i == 1) break;
    }
    return *outer;
}
