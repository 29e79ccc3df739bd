// expect: unsafe-or-unknown
// strlen of the NULL that getenv gives.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *home = getenv("A_NAME_THAT_NOBODY_SETS");
    return strlen(home) > 3;
}
