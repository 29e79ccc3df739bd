// expect: unsafe-or-unknown
// sizeof of an array parameter is the size of a pointer.
static void clear(char a[4]) {
    for (unsigned i = 0; i < sizeof(a); i++) a[i] = 0;
}

int main(void) {
    char a[4];
    clear(a);
    return a[0];
}
