// expect: unsafe-or-unknown
// The result of snprintf may be larger than the buffer.
#include <stdio.h>

int main(void) {
    char b[6];
    int n = snprintf(b, sizeof b, "%s", "0123456789");
    b[n] = '!';
    return 0;
}
