// expect: proved-or-unknown
// A thread-local counter.
static __thread int calls;
static int next(void) { return ++calls; }

int main(void) {
    next();
    return next() == 2 ? 0 : 1;
}
