// expect: unsafe-or-unknown
// Recursion without end.
static int down(int n) { return n == 0 ? 0 : 1 + down(n - 2); }

int main(void) { return down(5) & 1; }
