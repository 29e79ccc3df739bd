// expect: proved-or-unknown
// Room for the end.
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *name = "hello";
    char *copy = malloc(strlen(name) + 1);
    if (!copy) return 1;
    strcpy(copy, name);
    int ok = strcmp(copy, "hello") == 0;
    free(copy);
    return !ok;
}
