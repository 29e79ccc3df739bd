// expect: unsafe-or-unknown
// A function pointer that was never set.
static int (*hook)(int);

int main(void) { return hook(1); }
