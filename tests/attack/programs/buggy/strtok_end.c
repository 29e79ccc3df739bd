// expect: unsafe-or-unknown
// One token too many.
#include <string.h>

int main(void) {
    char line[] = "one two";
    strtok(line, " ");
    strtok(NULL, " ");
    return *strtok(NULL, " ");
}
