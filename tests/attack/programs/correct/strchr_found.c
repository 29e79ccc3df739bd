// expect: proved-or-unknown
// What strchr gives is checked.
#include <string.h>

int main(void) {
    char line[] = "key=value";
    char *eq = strchr(line, '=');
    if (eq) *eq++ = 0;
    return eq && *eq == 'v' ? 0 : 1;
}
