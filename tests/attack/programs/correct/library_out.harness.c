#include "library_out.c"
int main(void) { return lookup(3) + lookup(-5) - 2; }
