// expect: unsafe-or-unknown
// strchr finds nothing.
#include <string.h>

int main(void) {
    char line[] = "no colon here";
    char *colon = strchr(line, ':');
    *colon = 0;
    return 0;
}
