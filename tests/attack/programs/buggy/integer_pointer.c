// expect: unsafe-or-unknown
// A small number is a pointer.
int main(void) {
    long address = 16;
    return *(int *)address;
}
