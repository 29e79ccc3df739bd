// expect: unsafe-or-unknown
// The list of arguments has no end.
#include <stdarg.h>
#include <string.h>

static size_t total(const char *first, ...) {
    va_list ap;
    size_t n = 0;
    va_start(ap, first);
    for (const char *s = first; s; s = va_arg(ap, const char *)) n += strlen(s);
    va_end(ap);
    return n;
}

int main(void) { return (int)total("a", "b", (char *)3, (char *)0); }
