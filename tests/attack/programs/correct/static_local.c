// expect: proved-or-unknown
// A static local counts, and is limited.
static void record(int v) {
    static int log[4], next;
    log[next] = v;
    next = (next + 1) % 4;
}

int main(void) {
    for (int i = 0; i < 9; i++) record(i);
    return 0;
}
