// expect: unsafe-or-unknown
// Memory of alloca is freed.
#include <alloca.h>
#include <stdlib.h>

int main(void) {
    char *p = alloca(8);
    p[0] = 0;
    free(p);
    return 0;
}
