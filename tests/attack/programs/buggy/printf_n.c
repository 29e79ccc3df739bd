// expect: unsafe-or-unknown
// %n writes.
#include <stdio.h>

int main(void) {
    int x = 0, a[3] = {0};
    printf("abc%n", &x);
    a[x] = 1;
    return 0;
}
