// expect: unsafe-or-unknown
// scanf sets an index.
// input: 7
#include <stdio.h>

int main(void) {
    int a[4] = {0, 1, 2, 3}, i = 0;
    if (scanf("%d", &i) != 1) return 1;
    printf("%d\n", a[i]);
    return 0;
}
