// expect: unsafe-or-unknown
// A copy of a struct keeps the pointer that is freed.
#include <stdlib.h>

struct buffer { char *data; int n; };

static void release(struct buffer b) { free(b.data); }

int main(void) {
    struct buffer b = {malloc(4), 4};
    if (!b.data) return 1;
    struct buffer c = b;
    release(c);
    b.data[0] = 1;
    return 0;
}
