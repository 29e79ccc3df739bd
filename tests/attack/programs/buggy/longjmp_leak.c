// expect: unsafe-or-unknown
// longjmp over a free.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf env;
static void parse(int bad) {
    char *token = malloc(8);
    if (!token) abort();
    token[0] = 0;
    if (bad) longjmp(env, 1);
    free(token);
}

int main(void) {
    if (setjmp(env) == 0) parse(1);
    return 0;
}
