// expect: proved-or-unknown
// A checked index into a table.
static int table[10];

int get(int i) {
    if (i < 0 || i >= 10) return -1;
    return table[i];
}
