#include "library_scratch.c"
int main(void) { return digits(4000000000u) == 10 ? 0 : 1; }
