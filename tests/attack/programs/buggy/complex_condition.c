// expect: unsafe-or-unknown
// De Morgan done wrong.
int main(void) {
    int a[4] = {0}, i = 7;
    if (!(i < 0 && i > 3)) a[i] = 1;
    return 0;
}
