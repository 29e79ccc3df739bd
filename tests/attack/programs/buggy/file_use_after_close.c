// expect: unsafe-or-unknown
// Read after fclose.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/zero", "r");
    if (!f) return 0;
    int c = fgetc(f);
    fclose(f);
    return c + fgetc(f);
}
