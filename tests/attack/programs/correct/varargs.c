// expect: proved-or-unknown
// A function with a variable number of arguments.
#include <stdarg.h>

static int sum(int n, ...) {
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0) s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(void) { return sum(3, 1, 2, 3) == 6 ? 0 : 1; }
