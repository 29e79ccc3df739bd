// expect: proved-or-unknown
// Bit fields keep to their widths.
struct date { unsigned day : 5, month : 4; unsigned year : 12; };

int main(void) {
    int days[32] = {0};
    struct date d = {.day = 31, .month = 12, .year = 2026};
    d.day++;
    days[d.day] = 1;
    return d.day == 0 && d.month == 12 ? 0 : 1;
}
