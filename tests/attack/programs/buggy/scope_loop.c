// expect: unsafe-or-unknown
// Every round has a new variable; the pointer is to the last round's.
int main(void) {
    int *last = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        int here = i;
        if (last) sum += *last;
        last = &here;
    }
    return sum + *last;
}
