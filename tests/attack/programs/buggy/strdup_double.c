// expect: unsafe-or-unknown
// Text is freed twice.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = strdup("text"), *b = a;
    if (!a) return 0;
    free(a);
    free(b);
    return 0;
}
