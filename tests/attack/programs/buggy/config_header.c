// expect: unsafe-or-unknown
// What is wrong depends on a macro of a header.
#include "cleanup_header.h"

int main(void) {
    char *p = malloc(1);
#ifdef READY
    free(p);
#endif
    free(p);
    return 0;
}
