// expect: unsafe-or-unknown
// The check forgets negative numbers.
static int table[10];

int get(int i) {
    if (i >= 10) return -1;
    return table[i];
}
