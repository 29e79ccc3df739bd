// expect: unsafe-or-unknown
// The tag says text, the value is a number.
#include <string.h>

struct value {
    enum { NUMBER, TEXT } tag;
    union { int n; const char *s; } u;
};

static size_t length(const struct value *v) { return v->tag == TEXT ? strlen(v->u.s) : 0; }

int main(void) {
    struct value v = {TEXT, {0}};
    v.u.s = "x";
    v.u.s = 0;
    v.u.n = 5;
    return (int)length(&v);
}
