// expect: unsafe-or-unknown
// The cleanup attribute stands in a header.
#include "cleanup_header.h"

int main(void) {
    HOLDER(int) p = malloc(sizeof(int));
    if (p) *p = 1;
    free(p);
    return 0;
}
