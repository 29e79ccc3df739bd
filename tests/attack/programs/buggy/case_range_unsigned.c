// expect: unsafe-or-unknown
// A case range of large unsigned numbers.
#include <stddef.h>

int main(void) {
    unsigned x = 3000000000u;
    int y = 0, *p = &y;
    switch (x) {
    case 2147483648u ... 4294967295u: p = NULL; break;
    default: break;
    }
    return *p;
}
