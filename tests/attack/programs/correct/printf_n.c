// expect: proved-or-unknown
// %n writes a number that fits.
#include <stdio.h>

int main(void) {
    int x = 0, a[4] = {0};
    printf("abc%n\n", &x);
    if (x >= 0 && x < 4) a[x] = 1;
    return 0;
}
