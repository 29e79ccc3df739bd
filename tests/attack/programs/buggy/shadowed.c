// expect: unsafe-or-unknown
// The inner p hides the outer one.
#include <stdlib.h>

int main(void) {
    int *p = NULL;
    {
        int *p = malloc(sizeof *p);
        if (!p) return 1;
        *p = 1;
        free(p);
    }
    return *p;
}
