// expect: unsafe-or-unknown
// The check is done in the wrong type.
static unsigned char table[256];

int get(int i) {
    if ((unsigned char)i >= 255) return -1;
    return table[i];
}
