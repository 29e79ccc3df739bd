// expect: unsafe-or-unknown
// The address of a local is returned.
static int *answer(void) {
    int x = 42;
    int *p = &x;
    return p;
}

int main(void) { return *answer(); }
