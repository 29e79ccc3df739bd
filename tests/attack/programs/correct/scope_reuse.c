// expect: proved-or-unknown
// A pointer is set anew in every round.
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int here = i, *p = &here;
        sum += *p;
    }
    return sum == 3 ? 0 : 1;
}
