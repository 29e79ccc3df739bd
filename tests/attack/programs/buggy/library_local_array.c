// expect: unsafe-or-unknown
// An index one too far, whatever the argument.
int sum_of_squares(int n) {
    int squares[5];
    int sum = 0;
    for (int i = 0; i <= 5; i++) squares[i] = i * i;
    for (int i = 0; i < 5 && i < n; i++) sum += squares[i];
    return sum;
}
