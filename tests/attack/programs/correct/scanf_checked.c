// expect: proved-or-unknown
// What scanf read is checked.
// input: 3
#include <stdio.h>

int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, i = 0;
    if (scanf("%d", &i) != 1 || i < 0 || i >= 5) return 1;
    printf("%d\n", a[i]);
    return 0;
}
