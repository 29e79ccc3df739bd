// expect: unsafe-or-unknown
// The index is moved before the check.
int main(void) {
    int a[3] = {1, 2, 3}, i = 0, sum = 0;
    while (i < 3) sum += a[++i];
    return sum;
}
