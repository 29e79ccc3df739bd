// expect: proved-or-unknown
// getenv may give NULL.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *home = getenv("HOME");
    return home && strlen(home) > 10000;
}
