// expect: unsafe-or-unknown
// A gap in the designated initialisers is NULL.
#include <string.h>

enum { RED, GREEN, BLUE, COLOURS };
static const char *names[COLOURS] = {[RED] = "red", [BLUE] = "blue"};

int main(void) {
    size_t n = 0;
    for (int i = 0; i < COLOURS; i++) n += strlen(names[i]);
    return (int)n;
}
