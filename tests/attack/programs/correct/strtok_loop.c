// expect: proved-or-unknown
// Tokens of a writable text.
#include <string.h>

int main(void) {
    char line[] = "a b c";
    int n = 0;
    for (char *t = strtok(line, " "); t; t = strtok(NULL, " ")) n++;
    return n == 3 ? 0 : 1;
}
