// expect: unsafe-or-unknown
// unsigned x = -1 as an upper limit.
int main(void) {
    unsigned last = 0;
    char s[2] = "a";
    last -= 1;
    for (unsigned i = 0; i < last; i++) s[i] = 'b';
    return 0;
}
