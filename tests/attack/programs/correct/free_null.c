// expect: proved-or-unknown
// free(NULL) does nothing.
#include <stdlib.h>

int main(void) {
    char *p = NULL;
    free(p);
    p = malloc(1);
    free(p);
    p = NULL;
    free(p);
    return 0;
}
