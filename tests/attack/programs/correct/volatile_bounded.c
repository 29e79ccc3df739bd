// expect: proved-or-unknown
// What is volatile is read once, and checked.
static volatile unsigned input;

int main(void) {
    int a[8] = {0};
    unsigned i = input;
    if (i < 8) a[i] = 1;
    return a[0];
}
