// expect: unsafe-or-unknown
// strcpy past the end of an array.
#include <string.h>

int main(void) {
    char s[4];
    strcpy(s, "four");
    return s[0] == 'f';
}
