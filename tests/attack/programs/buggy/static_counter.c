// expect: unsafe-or-unknown
// A static counter is an index that nobody resets.
static void record(int v) {
    static int log[4], next;
    log[next++] = v;
}

int main(void) {
    for (int i = 0; i < 5; i++) record(i);
    return 0;
}
