// expect: unsafe-or-unknown
// The address of a parameter.
static int *keep(int x) {
    int *p = &x;
    return p;
}

int main(void) {
    int *p = keep(2);
    return *p;
}
