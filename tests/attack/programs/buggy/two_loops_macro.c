// expect: unsafe-or-unknown
// Two loops in one line of a macro; the second goes too far.
#define FILL(a, n) \
    do { for (int i = 0; i < (n); i++) (a)[i] = 0; for (int i = 0; i <= (n); i++) (a)[i] += 1; } while (0)

int main(void) {
    int a[3];
    FILL(a, 3);
    return a[0];
}
