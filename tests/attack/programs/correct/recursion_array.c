// expect: proved-or-unknown
// Recursion over an array.
static int sum(const int *a, unsigned n) { return n ? a[0] + sum(a + 1, n - 1) : 0; }

int main(void) {
    int a[] = {1, 2, 3, 4};
    return sum(a, sizeof a / sizeof *a) == 10 ? 0 : 1;
}
