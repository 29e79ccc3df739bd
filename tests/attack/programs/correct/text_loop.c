// expect: proved-or-unknown
// A loop to the end of the text.
static unsigned length(const char *s) {
    const char *p = s;
    while (*p) ++p;
    return (unsigned)(p - s);
}

int main(void) { return length("four") == 4 ? 0 : 1; }
