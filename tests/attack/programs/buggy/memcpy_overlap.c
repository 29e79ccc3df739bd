// expect: unsafe-or-unknown
// memcpy of parts that overlap.
#include <string.h>

int main(void) {
    char b[8] = "abcdefg";
    memcpy(b + 1, b, 6);
    return b[1];
}
