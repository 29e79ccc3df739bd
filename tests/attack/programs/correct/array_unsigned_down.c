// expect: proved-or-unknown
// An unsigned countdown, done rightly.
int main(void) {
    int a[4] = {0};
    for (unsigned i = 4; i-- > 0;) a[i] = 1;
    return a[0] == 1 ? 0 : 1;
}
