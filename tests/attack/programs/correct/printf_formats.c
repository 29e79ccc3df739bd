// expect: proved-or-unknown
// Many formats.
#include <stdio.h>

int main(void) {
    const char *s = "text";
    printf("%d %u %ld %c %s %5.2f %p %% %.3s\n", 1, 2u, 3L, 'c', s, 1.5, (void *)s, "abcdef");
    return 0;
}
