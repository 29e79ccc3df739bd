// expect: unsafe-or-unknown
// fread fills a length that is believed.
// input: zzzzzzzzzzzz
#include <stdio.h>

struct header { unsigned char length; };

int main(void) {
    struct header h = {2};
    char body[16] = {0};
    if (fread(&h, sizeof h, 1, stdin) != 1) return 0;
    body[h.length] = 1;
    return 0;
}
