// expect: unsafe-or-unknown
// The callback gets a context that is dead by then.
#include <stdlib.h>

void later(void (*f)(void *), void *context);
void run_all(void);

static void print_it(void *context) { ++*(int *)context; }
static void schedule(void) {
    int local = 3;
    later(print_it, &local);
}

int main(void) {
    schedule();
    run_all();
    return 0;
}
