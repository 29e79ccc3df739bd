// expect: unsafe-or-unknown
// A compound literal with too few elements.
static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}

int main(void) { return sum((int[]){1, 2, 3}, 4); }
