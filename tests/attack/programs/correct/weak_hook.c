// expect: proved-or-unknown
// A weak function is called only if it is there.
void hook(void) __attribute__((weak));

int main(void) {
    if (hook) hook();
    return 0;
}
