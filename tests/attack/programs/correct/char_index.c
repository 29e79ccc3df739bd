// expect: proved-or-unknown
// A char above 127, cast before it is an index.
int main(void) {
    int count[256] = {0};
    char c = '\xe4';
    count[(unsigned char)c]++;
    return count[0xe4] == 1 ? 0 : 1;
}
