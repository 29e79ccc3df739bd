// expect: unsafe-or-unknown
// No case fits, and the pointer was never set.
int main(void) {
    int a = 1, b = 2, *p = 0, kind = 3;
    switch (kind) {
    case 1: p = &a; break;
    case 2: p = &b; break;
    }
    return *p;
}
