// expect: unsafe-or-unknown
// strtok writes into its text.
#include <string.h>

int main(void) {
    char *line = "a,b";
    char *first = strtok(line, ",");
    return first[0];
}
