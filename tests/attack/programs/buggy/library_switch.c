// expect: unsafe-or-unknown
// Every value of the argument but one leaves the pointer NULL.
int choose(int kind) {
    int a = 1, *p = 0;
    switch (kind) {
    case 1: p = &a; break;
    case 2: break;
    default: p = &a;
    }
    return *p;
}
