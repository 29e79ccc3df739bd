// expect: proved-or-unknown
// Scratch memory of its own, always freed.
#include <stdlib.h>

int digits(unsigned n) {
    char *text = malloc(16);
    int used = 0;
    if (!text) return -1;
    do {
        text[used++] = (char)('0' + n % 10);
        n /= 10;
    } while (n && used < 16);
    free(text);
    return used;
}
