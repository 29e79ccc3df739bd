// expect: unsafe-or-unknown
// The cleanup attribute with underscores, behind a macro.
#include <stdlib.h>
#define AUTO_FREE __attribute__((__cleanup__(auto_free)))

static void auto_free(void *p) { free(*(void **)p); }

int main(void) {
    AUTO_FREE char *line = malloc(10);
    if (line) {
        line[0] = 0;
        free(line);
    }
    return 0;
}
