// expect: unsafe-or-unknown
// strncat's size does not count what is there.
#include <string.h>

int main(void) {
    char b[8] = "abcdef";
    strncat(b, "ghijkl", sizeof b - 1);
    return b[0];
}
