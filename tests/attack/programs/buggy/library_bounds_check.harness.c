#include "library_bounds_check.c"
int main(void) { return get(-1); }
