#include <stddef.h>
int *source(void) { return NULL; }
