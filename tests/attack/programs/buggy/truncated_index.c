// expect: unsafe-or-unknown
// char n = 300.
int main(void) {
    int a[40] = {0};
    char n = 300;
    n = n + 100;
    return a[n];
}
