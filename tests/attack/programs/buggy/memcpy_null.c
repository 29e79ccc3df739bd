// expect: unsafe-or-unknown
// memcpy from NULL.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char to[4] = {0};
    const char *from = getenv("A_NAME_THAT_NOBODY_SETS");
    memcpy(to, from, 3);
    return to[0];
}
