// expect: unsafe-or-unknown
// The last character of an empty text.
#include <string.h>

int main(void) {
    char *s = "";
    char line[4];
    strcpy(line, s);
    line[strlen(line) - 1] = 0;
    return 0;
}
