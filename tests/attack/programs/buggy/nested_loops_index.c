// expect: unsafe-or-unknown
// The inner loop uses the outer limit.
int main(void) {
    int t[2][5] = {{0}}, sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2 * (i + j); k++) sum += t[j][k + i];
    return t[1][sum + 5];
}
