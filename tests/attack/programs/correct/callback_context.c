// expect: proved-or-unknown
// A callback counts through its context.
struct counter { int n; };

static void tick(void *context) { ((struct counter *)context)->n++; }
static void repeat(int times, void (*f)(void *), void *context) {
    while (times-- > 0) f(context);
}

int main(void) {
    struct counter c = {0};
    repeat(3, tick, &c);
    return c.n == 3 ? 0 : 1;
}
