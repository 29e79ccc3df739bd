// expect: unsafe-or-unknown
// A constructor changes a global pointer that has an initialiser.
#include <stddef.h>

static int cell = 4;
static int *where = &cell;
void __attribute__((__constructor__)) prepare(void) { where = NULL; }

int main(void) { return *where; }
