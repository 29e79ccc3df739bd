// expect: unsafe-or-unknown
// A break is missing.
#include <stdlib.h>

int main(void) {
    char *p = malloc(2);
    int kind = 1;
    if (!p) return 1;
    switch (kind) {
    case 1: free(p);
    case 2: free(p); break;
    default: break;
    }
    return 0;
}
