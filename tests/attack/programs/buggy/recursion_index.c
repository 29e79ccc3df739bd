// expect: unsafe-or-unknown
// Recursion goes one too deep.
static int fill(int *a, int i, int n) {
    if (i > n) return 0;
    a[i] = i;
    return 1 + fill(a, i + 1, n);
}

int main(void) {
    int a[4];
    return fill(a, 0, 4) == 5;
}
