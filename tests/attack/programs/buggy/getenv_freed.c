// expect: unsafe-or-unknown
// What getenv gives is not ours to free.
#include <stdlib.h>

int main(void) {
    char *path = getenv("PATH");
    if (path) free(path);
    return 0;
}
