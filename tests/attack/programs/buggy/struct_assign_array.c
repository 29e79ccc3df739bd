// expect: unsafe-or-unknown
// An array in a struct is copied; the index is one too far.
struct row { int cells[3]; };

int main(void) {
    struct row a = {{1, 2, 3}}, b;
    b = a;
    int sum = 0;
    for (int i = 0; i <= 3; i++) sum += b.cells[i];
    return sum;
}
