// expect: unsafe-or-unknown
// A signal changes what is volatile behind a typedef, between two reads.
#include <signal.h>
#include <stdlib.h>

typedef volatile sig_atomic_t flag_t;
static flag_t flag;
static void on_signal(int s) { (void)s; flag = 1; }

int main(void) {
    int *p = 0, x = 0;
    signal(SIGUSR1, on_signal);
    if (flag == 0) {
        p = &x;
        raise(SIGUSR1);
        if (flag) p = 0;
    }
    *p = 1;
    return x;
}
