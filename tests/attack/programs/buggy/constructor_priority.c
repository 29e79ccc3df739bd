// expect: unsafe-or-unknown
// Two constructors, in the order of their priorities.
#include <stdlib.h>

static int *p;
__attribute__((constructor(202))) static void second(void) { *p = 1; }
__attribute__((constructor(201))) static void first(void) { p = NULL; }

int main(void) { return 0; }
