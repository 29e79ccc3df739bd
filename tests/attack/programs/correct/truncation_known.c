// expect: proved-or-unknown
// char n = 300 is 44.
int main(void) {
    int a[45] = {0};
    char n = (char)300;
    a[n] = 1;
    return a[44] == 1 ? 0 : 1;
}
