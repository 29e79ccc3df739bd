// expect: unsafe-or-unknown
// %s of memory without an end.
#include <stdio.h>

int main(void) {
    char s[3] = {'a', 'b', 'c'};
    printf("%s\n", s);
    return 0;
}
