// expect: unsafe-or-unknown
// An array of the frame is returned as text.
#include <stdio.h>

static char *name_of(int n) {
    char buffer[16];
    sprintf(buffer, "item %d", n);
    char *p = buffer;
    return p;
}

int main(void) {
    char *s = name_of(3);
    return s[0];
}
