// expect: unsafe-or-unknown
// Two cleanups run in reverse order: the second uses what the first frees.
#include <stdlib.h>

struct log { int *lines; };
static void close_log(struct log **l) { (*l)->lines[0] = 0; }
static void drop(int **p) { free(*p); }

int main(void) {
    struct log l = {0};
    __attribute__((cleanup(close_log))) struct log *lp = &l;
    __attribute__((cleanup(drop))) int *lines = malloc(4);
    if (!lines) abort();
    lp->lines = lines;
    return 0;
}
