// expect: unsafe-or-unknown
// An index that was never set.
int main(void) {
    int a[4] = {0}, i;
    a[i] = 1;
    return 0;
}
