// expect: unsafe-or-unknown
// A pointer that was never set.
int main(void) {
    int *p;
    *p = 1;
    return 0;
}
