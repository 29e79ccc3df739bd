// expect: unsafe-or-unknown
// Rows and columns are exchanged.
int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}}, sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++) sum += m[r][c];
    return sum;
}
