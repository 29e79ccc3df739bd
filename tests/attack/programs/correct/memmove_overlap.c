// expect: proved-or-unknown
// memmove of parts that overlap.
#include <string.h>

int main(void) {
    char b[8] = "abcdefg";
    memmove(b + 1, b, 6);
    return b[6] == 'f' ? 0 : 1;
}
