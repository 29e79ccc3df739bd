// expect: proved-or-unknown
// The bytes of a number.
int main(void) {
    unsigned x = 0x01020304, sum = 0;
    unsigned char *b = (unsigned char *)&x;
    for (unsigned i = 0; i < sizeof x; i++) sum += b[i];
    return sum == 10 ? 0 : 1;
}
