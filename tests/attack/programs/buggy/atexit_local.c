// expect: unsafe-or-unknown
// A function run at exit reads main's local.
#include <stdio.h>
#include <stdlib.h>

static int *counter;
static void report(void) { printf("%d\n", *counter); }

static int work(void) {
    int n = 0;
    counter = &n;
    atexit(report);
    return n;
}

int main(void) { return work(); }
