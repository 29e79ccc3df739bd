// expect: proved-or-unknown
// A variable-length array.
static int last(int n) {
    if (n <= 0) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    return a[n - 1];
}

int main(void) { return last(4) == 3 ? 0 : 1; }
