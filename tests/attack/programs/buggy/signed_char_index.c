// expect: unsafe-or-unknown
// A char above 127 is a negative index.
int main(void) {
    int count[256] = {0};
    char c = '\xe4';
    count[c]++;
    return count[0];
}
