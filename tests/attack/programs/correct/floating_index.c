// expect: proved-or-unknown
// A floating number is cut and checked before it is an index.
int main(void) {
    int a[4] = {0};
    double d = 2.7;
    int i = (int)d;
    if (i >= 0 && i < 4) a[i] = 1;
    return 0;
}
