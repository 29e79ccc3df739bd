// expect: unsafe-or-unknown
// The file is not there.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/no/such/file", "r");
    char b[4];
    if (fgets(b, 4, f)) puts(b);
    fclose(f);
    return 0;
}
