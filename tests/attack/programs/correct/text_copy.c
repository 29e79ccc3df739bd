// expect: proved-or-unknown
// A hand-written copy with a limit.
static void copy(char *to, const char *from, unsigned size) {
    unsigned i = 0;
    if (size == 0) return;
    while (i + 1 < size && from[i]) {
        to[i] = from[i];
        i++;
    }
    to[i] = 0;
}

int main(void) {
    char b[4];
    copy(b, "a long text", sizeof b);
    return b[3];
}
