// expect: proved-or-unknown
// Falling through on purpose.
int main(void) {
    int a[4] = {0}, n = 3;
    switch (n) {
    case 3: a[2] = 1; /* fall through */
    case 2: a[1] = 1; /* fall through */
    case 1: a[0] = 1; break;
    default: return 1;
    }
    return a[0] + a[1] + a[2] == 3 ? 0 : 1;
}
