// expect: unsafe-or-unknown
// A bit field of three bits wraps around.
struct s { unsigned index : 3; unsigned rest : 5; };

int main(void) {
    int a[7] = {0};
    struct s s = {0, 0};
    s.index = 15;
    return a[s.index];
}
