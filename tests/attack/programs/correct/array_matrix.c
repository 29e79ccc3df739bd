// expect: proved-or-unknown
// A matrix, row by row.
int main(void) {
    int m[3][4], sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) m[r][c] = r * c;
    for (int *p = &m[0][0], *q = p + 4; p < q; p++) sum += *p;
    return sum;
}
