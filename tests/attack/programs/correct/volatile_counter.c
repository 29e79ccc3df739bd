// expect: proved-or-unknown
// A volatile variable whose value does not matter.
int main(void) {
    volatile int ticks = 0;
    int a[2] = {0, 1};
    ticks++;
    return a[ticks > 0];
}
