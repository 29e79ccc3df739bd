// expect: unsafe-or-unknown
// The width does not count the end.
// input: abcdefghijklmnop
#include <stdio.h>

int main(void) {
    char name[8];
    if (scanf("%8s", name) == 1) puts(name);
    return 0;
}
