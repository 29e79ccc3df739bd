// expect: unsafe-or-unknown
// A string literal is written.
int main(void) {
    char *s = "constant";
    s[0] = 'C';
    return 0;
}
