// expect: unsafe-or-unknown
// Swapped pointers: the wrong one is freed twice.
#include <stdlib.h>

static void swap(char **a, char **b) {
    char *t = *a;
    *a = *b;
    *b = t;
}

int main(void) {
    char *a = malloc(1), *b = NULL, *first = a;
    swap(&a, &b);
    free(first);
    free(b);
    return 0;
}
