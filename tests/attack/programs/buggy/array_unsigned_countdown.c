// expect: unsafe-or-unknown
// An unsigned number is never below 0.
int main(void) {
    int a[4] = {0};
    for (unsigned i = 3; i >= 0; i--) {
        a[i] = 1;
        if (a[0] == 2) break;
    }
    return a[0];
}
