// expect: unsafe-or-unknown
// strcat to what holds no text.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = malloc(8);
    if (!s) return 1;
    memset(s, 'x', 8);
    strcat(s, "a");
    free(s);
    return 0;
}
