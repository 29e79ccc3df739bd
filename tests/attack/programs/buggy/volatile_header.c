// expect: unsafe-or-unknown
// volatile by a typedef of a header.
#include "cleanup_header.h"
#include <signal.h>

static shared_int seen;
static void on(int s) { seen = s; }

int main(void) {
    int x = 1, *p = &x;
    signal(SIGUSR1, on);
    raise(SIGUSR1);
    if (seen) p = 0;
    return *p;
}
