// expect: proved-or-unknown
// Duff's device.
static void send(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

int main(void) {
    char from[7] = "abcdef", to[7];
    send(to, from, 7);
    return to[5] == 'f' ? 0 : 1;
}
