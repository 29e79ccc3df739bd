// expect: proved-or-unknown
// %7s into eight bytes.
// input: abcdefghijklmnop
#include <stdio.h>

int main(void) {
    char name[8];
    if (scanf("%7s", name) == 1) puts(name);
    return 0;
}
