// expect: proved-or-unknown
// strncpy, and the end by hand.
#include <string.h>

int main(void) {
    char b[4];
    strncpy(b, "abcdef", sizeof b - 1);
    b[sizeof b - 1] = '\0';
    return (int)strlen(b) - 3;
}
