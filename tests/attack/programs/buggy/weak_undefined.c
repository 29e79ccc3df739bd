// expect: unsafe-or-unknown
// A weak declaration without a definition is NULL.
extern int option __attribute__((weak));

int main(void) { return option; }
