// expect: proved-or-unknown
// A file is opened, read and closed.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/null", "r");
    if (!f) return 1;
    int c = fgetc(f);
    fclose(f);
    return c == EOF ? 0 : 1;
}
