// expect: unsafe-or-unknown
// fclose twice.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/null", "r");
    if (!f) return 0;
    fclose(f);
    fclose(f);
    return 0;
}
