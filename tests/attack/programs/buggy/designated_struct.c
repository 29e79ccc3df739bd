// expect: unsafe-or-unknown
// The members that are not named are 0.
struct ops { int (*open)(void); int (*close)(void); };
static int ok(void) { return 0; }

int main(void) {
    struct ops o = {.close = ok};
    return o.open();
}
