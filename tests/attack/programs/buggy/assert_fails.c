// expect: unsafe-or-unknown
// An assert that does not hold.
#include <assert.h>

static int f(int x) { return x * 2 - 4; }

int main(void) {
    assert(f(3) == 3);
    return 0;
}
