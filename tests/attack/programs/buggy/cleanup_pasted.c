// expect: unsafe-or-unknown
// The word cleanup is pasted together by the preprocessor.
#include <stdlib.h>
#define PASTE(a, b) a##b
#define ATTR(x) __attribute__((x))

static void drop(char **p) { free(*p); }

int main(void) {
    ATTR(PASTE(clean, up)(drop)) char *s = calloc(1, 4);
    free(s);
    return 0;
}
