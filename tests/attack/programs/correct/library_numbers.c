// expect: proved-or-unknown
// Numbers only.
int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

int weekday(unsigned n) {
    static const char start[] = {0, 3, 2, 5, 0, 3, 5};
    return start[n % 7];
}
