// expect: proved-or-unknown
// A tagged union.
#include <stdlib.h>
#include <string.h>

struct value { int is_text; union { long n; char *s; } u; };

static struct value text(const char *s) {
    struct value v = {1, {0}};
    v.u.s = malloc(strlen(s) + 1);
    if (!v.u.s) abort();
    strcpy(v.u.s, s);
    return v;
}
static void drop(struct value *v) {
    if (v->is_text) free(v->u.s);
}

int main(void) {
    struct value a = text("x"), b = {0, {7}};
    drop(&a);
    drop(&b);
    return 0;
}
