// expect: unsafe-or-unknown
// No room for the end of the text.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *name = "hello";
    char *copy = malloc(strlen(name));
    if (!copy) return 1;
    strcpy(copy, name);
    free(copy);
    return 0;
}
