// expect: unsafe-or-unknown
// A function is called through a pointer of another type.
#include <stdlib.h>

static void drop(int **p) {
    free(*p);
    *p = NULL;
}

int main(void) {
    void (*f)(int *) = (void (*)(int *))drop;
    int *p = malloc(16);
    if (!p) return 1;
    *(int **)p = p;
    f(p);
    return *p;
}
