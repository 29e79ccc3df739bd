// expect: unsafe-or-unknown
// A fresh block as an argument, lost in the callee.
#include <stdlib.h>
#include <string.h>

static size_t length(char *s) { return s ? strlen(s) : 0; }

int main(void) { return (int)length(strdup("abc")) - 3; }
