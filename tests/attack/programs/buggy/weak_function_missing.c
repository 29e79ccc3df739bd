// expect: unsafe-or-unknown
// A weak function that nobody defines is called.
void hook(void) __attribute__((weak));

int main(void) {
    hook();
    return 0;
}
