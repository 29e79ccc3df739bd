// expect: proved-or-unknown
// A table of functions, all of them fit.
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const ops[2])(int, int) = {add, sub};

int main(void) {
    int r = 0;
    for (unsigned i = 0; i < 2; i++) r += ops[i](3, 1);
    return r == 6 ? 0 : 1;
}
