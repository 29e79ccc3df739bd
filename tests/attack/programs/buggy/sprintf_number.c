// expect: unsafe-or-unknown
// A number with more digits than expected.
#include <stdio.h>

int main(void) {
    char digits[4];
    int year = 2026;
    sprintf(digits, "%d", year);
    return digits[0] == '2';
}
