// expect: unsafe-or-unknown
// What the function makes for itself is lost.
#include <stdlib.h>
#include <string.h>

int is_palindrome(const char *text) {
    size_t n = strlen(text);
    char *back = malloc(n + 1);
    if (!back) return -1;
    for (size_t i = 0; i < n; i++) back[i] = text[n - 1 - i];
    back[n] = 0;
    return strcmp(text, back) == 0;
}
