// expect: unsafe-or-unknown
// A negative number passes a signed check, and is a size then.
#include <string.h>

int main(void) {
    char from[8] = {0}, to[8];
    int n = -1;
    if (n < 8) memcpy(to, from, n);
    return to[0];
}
