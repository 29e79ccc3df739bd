#include "library_bounds_unsigned.c"
int main(void) { return get(1000); }
