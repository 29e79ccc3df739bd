// expect: proved-or-unknown
// _Generic and inline functions.
static inline int size_i(int *p) { return p ? *p : 4; }
static inline int size_c(char *p) { return p ? *p : 1; }
#define SIZE(p) _Generic((p), int *: size_i, char *: size_c)(p)

int main(void) {
    int a[5] = {0};
    int *i = 0;
    char *c = 0;
    return a[SIZE(i)] + a[SIZE(c)];
}
