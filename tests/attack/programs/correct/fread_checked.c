// expect: proved-or-unknown
// A length from outside is limited.
// input: zzzz
#include <stdio.h>

int main(void) {
    unsigned char n = 0, body[16] = {0};
    if (fread(&n, 1, 1, stdin) != 1) return 0;
    if (n > sizeof body) n = sizeof body;
    for (unsigned char i = 0; i < n; i++) body[i] = i;
    return 0;
}
