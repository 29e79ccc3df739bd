// expect: unsafe-or-unknown
// A number is taken as a pointer.
#include <stdarg.h>

static int deref(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int v = *va_arg(ap, int *);
    va_end(ap);
    return v;
}

int main(void) {
    int x = 1;
    return deref(1, &x) + deref(1, 5L);
}
