// expect: unsafe-or-unknown
// The end pointer is dereferenced.
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a, *end = a + 3, sum = 0;
    while (p <= end) sum += *p++;
    return sum;
}
