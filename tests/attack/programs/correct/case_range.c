// expect: proved-or-unknown
// Case ranges of large unsigned numbers.
int main(void) {
    unsigned x = 3000000000u;
    int a[3] = {0, 0, 0}, i = 9;
    switch (x) {
    case 0 ... 2147483647u: i = 0; break;
    case 2147483648u ... 4000000000u: i = 1; break;
    default: i = 2;
    }
    return a[i];
}
