// expect: unsafe-or-unknown
// A function whose symbol is free.
#include <stdlib.h>

void give_back(void *p) __asm__("free");

int main(void) {
    char *p = malloc(2);
    if (!p) return 0;
    p[0] = 1;
    give_back(p);
    return p[0];
}
