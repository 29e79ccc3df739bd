// expect: unsafe-or-unknown
// scanf writes a[0], which is an index then.
// input: 9
#include <stdio.h>

int main(void) {
    int a[2] = {0, 0};
    scanf("%d", &a[0]);
    return a[a[0]];
}
