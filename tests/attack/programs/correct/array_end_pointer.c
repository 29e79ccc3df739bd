// expect: proved-or-unknown
// One past the end is compared, never followed.
int main(void) {
    int a[3] = {1, 2, 3}, sum = 0;
    for (int *p = a, *end = a + 3; p != end; p++) sum += *p;
    return sum == 6 ? 0 : 1;
}
