// expect: proved-or-unknown
// A mask keeps the index small.
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int ring[8] = {0};
    unsigned head = __VERIFIER_nondet_uint();
    for (int i = 0; i < 20; i++) ring[head++ & 7u] = i;
    return ring[0] < 0;
}
