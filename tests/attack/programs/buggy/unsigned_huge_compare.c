// expect: unsafe-or-unknown
// -1 is larger than every unsigned number.
int main(void) {
    int a[4] = {0};
    int i = -1;
    unsigned n = 4;
    if (i < n) return 0;
    return a[i];
}
