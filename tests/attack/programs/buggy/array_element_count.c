// expect: unsafe-or-unknown
// sizeof without division.
int main(void) {
    short a[3] = {1, 2, 3};
    int sum = 0;
    for (unsigned i = 0; i < sizeof a; i++) sum += a[i];
    return sum;
}
