// expect: proved-or-unknown
// snprintf cuts.
#include <stdio.h>
#include <string.h>

int main(void) {
    char b[6];
    snprintf(b, sizeof b, "%s", "much longer than six");
    return strlen(b) == 5 ? 0 : 1;
}
