// expect: proved-or-unknown
// Designated initialisers.
enum { A, B, C, N };
static const char *const names[N] = {[C] = "c", [A] = "a", [B] = "b"};

int main(void) {
    int sum = 0;
    for (int i = 0; i < N; i++) sum += names[i][0];
    return sum == 'a' + 'b' + 'c' ? 0 : 1;
}
