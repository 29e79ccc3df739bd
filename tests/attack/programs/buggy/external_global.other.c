#include <stddef.h>
extern int *shared;
void refresh(void) { shared = NULL; }
