// expect: unsafe-or-unknown
// strcat into a buffer that is full.
#include <string.h>

int main(void) {
    char path[10] = "/usr/lib";
    strcat(path, "/");
    strcat(path, "x");
    return path[0];
}
