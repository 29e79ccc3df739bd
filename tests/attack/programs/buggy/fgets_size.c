// expect: unsafe-or-unknown
// fgets is told more than there is.
// input: a line that is much longer than the buffer is
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = malloc(16);
    if (!line) return 1;
    if (fgets(line, 64, stdin)) fputs(line, stdout);
    free(line);
    return 0;
}
