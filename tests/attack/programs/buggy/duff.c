// expect: unsafe-or-unknown
// Duff's device copies eight more.
static void send(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (n-- > 0);
    }
}

int main(void) {
    char from[32] = {0}, to[11];
    send(to, from, 11);
    return to[0];
}
