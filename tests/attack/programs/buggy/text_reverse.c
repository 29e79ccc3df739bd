// expect: unsafe-or-unknown
// Reversing moves the end to the front, and goes one too far.
#include <string.h>

int main(void) {
    char s[6] = "abcde", r[5];
    size_t n = strlen(s);
    for (size_t i = 0; i <= n; i++) r[n - i] = s[i];
    return r[0];
}
