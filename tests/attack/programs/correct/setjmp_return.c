// expect: proved-or-unknown
// setjmp and longjmp, nothing held.
#include <setjmp.h>

static jmp_buf env;
static void fail(int code) { longjmp(env, code); }

int main(void) {
    int code = setjmp(env);
    if (code == 0) fail(2);
    return code == 2 ? 0 : 1;
}
