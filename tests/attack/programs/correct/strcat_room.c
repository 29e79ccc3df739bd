// expect: proved-or-unknown
// Two texts that just fit.
#include <string.h>

int main(void) {
    char path[9] = "/tmp";
    strcat(path, "/a.c");
    return strlen(path) == 8 ? 0 : 1;
}
