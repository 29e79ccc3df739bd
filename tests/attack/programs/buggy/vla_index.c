// expect: unsafe-or-unknown
// Beyond a variable-length array.
static int last(int n) {
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    return a[n];
}

int main(void) { return last(4); }
