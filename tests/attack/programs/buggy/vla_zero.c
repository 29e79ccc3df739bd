// expect: unsafe-or-unknown
// A variable-length array of no elements.
static int f(int n) {
    int a[n];
    a[0] = 1;
    return a[0];
}

int main(void) { return f(1) + f(0); }
