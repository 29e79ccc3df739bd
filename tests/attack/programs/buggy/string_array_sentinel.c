// expect: unsafe-or-unknown
// An array of words without its end.
#include <string.h>

int main(void) {
    const char *words[2] = {"a", "b"};
    int n = 0;
    while (words[n] != NULL && strcmp(words[n], "c")) n++;
    return n;
}
