// expect: unsafe-or-unknown
// A shift makes the index.
int main(void) {
    unsigned bits[2] = {0, 0};
    unsigned k = 64;
    bits[k >> 5] |= 1u << (k & 31);
    return 0;
}
