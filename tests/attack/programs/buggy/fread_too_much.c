// expect: unsafe-or-unknown
// fread with a count of elements, not bytes.
// input: 0123456789012345678901234567890123456789
#include <stdio.h>

int main(void) {
    int buffer[4];
    size_t n = fread(buffer, sizeof(int), sizeof buffer, stdin);
    return n > 0 ? buffer[0] & 1 : 0;
}
