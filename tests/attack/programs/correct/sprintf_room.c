// expect: proved-or-unknown
// sprintf of a small number into enough.
#include <stdio.h>

int main(void) {
    char digits[12];
    int n = sprintf(digits, "%d", -2147483647);
    return n == 11 ? 0 : 1;
}
