// expect: unsafe-or-unknown
// A statement expression gives the address of its own variable.
int main(void) {
    int *p = ({ int local = 3; &local; });
    return *p;
}
