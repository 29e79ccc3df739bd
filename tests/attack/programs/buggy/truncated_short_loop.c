// expect: unsafe-or-unknown
// A short runs over and becomes negative.
int main(void) {
    static int a[40000];
    short i = 32766;
    a[i] = 1;
    i += 3;
    a[i] = 2;
    return 0;
}
