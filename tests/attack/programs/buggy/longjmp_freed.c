// expect: unsafe-or-unknown
// longjmp back to where the block is used again.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
static int *volatile p;

static void fail(void) {
    free(p);
    longjmp(back, 1);
}

int main(void) {
    p = malloc(sizeof *p);
    if (!p) return 1;
    if (setjmp(back)) return *p;
    *p = 0;
    fail();
    return 0;
}
