// expect: unsafe-or-unknown
// One byte too few for the text of a flexible array.
#include <stdlib.h>
#include <string.h>

struct name { size_t length; char text[]; };

int main(void) {
    const char *s = "12345678";
    struct name *n = malloc(sizeof *n + strlen(s));
    if (!n) return 1;
    n->length = strlen(s);
    strcpy(n->text, s);
    free(n);
    return 0;
}
