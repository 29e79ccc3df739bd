// expect: unsafe-or-unknown
// A signed bit field of one bit is 0 or -1.
struct flags { int on : 1; };

int main(void) {
    int a[3] = {1, 2, 3}, *p = a;
    struct flags f = {0};
    f.on = 1;
    if (f.on == 1) return 0;
    return p[f.on];
}
