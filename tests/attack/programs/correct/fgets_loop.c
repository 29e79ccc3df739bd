// expect: proved-or-unknown
// Lines are read into a buffer of the right size.
// input: one
// input: two
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[32];
    size_t total = 0;
    while (fgets(line, sizeof line, stdin)) total += strlen(line);
    printf("%zu\n", total);
    return 0;
}
