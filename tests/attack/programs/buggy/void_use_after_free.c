// expect: unsafe-or-unknown
// Used through void * after it was freed as char *.
#include <stdlib.h>

int main(void) {
    void *v = malloc(sizeof(long));
    char *c = v;
    if (!v) return 1;
    *(long *)v = 3;
    free(c);
    return (int)*(long *)v;
}
