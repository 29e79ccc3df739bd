// expect: unsafe-or-unknown
// %ld into an int beside another.
// input: 1
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof(int));
    if (!p) return 0;
    *p = 0;
    if (scanf("%ld", (long *)p) != 1) *p = 0;
    free(p);
    return 0;
}
