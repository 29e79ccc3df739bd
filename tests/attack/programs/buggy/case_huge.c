// expect: unsafe-or-unknown
// A 64-bit case.
int main(void) {
    unsigned long long k = 0xffffffffffffffffull;
    int a[1] = {0};
    switch (k) {
    case 0xffffffffull: return 0;
    case -1ull: return a[(int)k];
    }
    return 0;
}
