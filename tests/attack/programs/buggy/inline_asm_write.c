// expect: unsafe-or-unknown
// Inline assembler writes to a pointer variable.
int main(void) {
    int x = 3, *p = &x;
    __asm__ volatile("xor %0, %0" : "=r"(p));
    return *p;
}
