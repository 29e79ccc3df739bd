#include "library_bounds.c"
int main(void) { return get(9) + get(-1) + get(10) + 2; }
