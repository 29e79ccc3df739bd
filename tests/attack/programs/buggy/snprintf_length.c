// expect: unsafe-or-unknown
// snprintf is told the wrong size.
#include <stdio.h>

int main(void) {
    char b[8];
    snprintf(b, 16, "%s", "twelve chars");
    return b[0];
}
