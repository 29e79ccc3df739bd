// expect: unsafe-or-unknown
// %s without a width.
// input: abcdefghijklmnop
#include <stdio.h>

int main(void) {
    char name[8];
    if (scanf("%s", name) == 1) puts(name);
    return 0;
}
