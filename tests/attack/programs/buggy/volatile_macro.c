// expect: unsafe-or-unknown
// A handler sets the flag that main believes to be 0.
#include <signal.h>
#include <stdlib.h>
#define SHARED __volatile

static SHARED int stop = 0;
static void handler(int n) { stop = n; }

int main(void) {
    int *data = malloc(sizeof *data);
    if (!data) return 1;
    signal(SIGTERM, handler);
    raise(SIGTERM);
    if (stop) {
        free(data);
        data = NULL;
    }
    *data = 4;
    free(data);
    return 0;
}
