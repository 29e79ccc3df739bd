// expect: unsafe-or-unknown
// An inline function returns one past the end.
#include <stddef.h>

static inline int *end_of(int *a, size_t n) { return a + n; }

int main(void) {
    int a[2] = {1, 2};
    return *end_of(a, 2);
}
