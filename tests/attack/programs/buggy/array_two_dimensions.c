// expect: unsafe-or-unknown
// The second index of a matrix is too large.
int main(void) {
    int m[3][4] = {{0}};
    int r = 2, c = 4;
    m[r][c] = 1;
    return m[0][0];
}
