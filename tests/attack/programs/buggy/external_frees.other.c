#include <stdlib.h>
void consume(int *p) { free(p); }
