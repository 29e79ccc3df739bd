// expect: proved-or-unknown
// A copy is made and freed.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *s = strdup("duplicate");
    if (!s) return 1;
    s[0] = 'D';
    free(s);
    return 0;
}
