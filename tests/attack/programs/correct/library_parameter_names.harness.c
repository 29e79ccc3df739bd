#include "library_parameter_names.c"
int main(void) { return same(0, 0, 0) - 1; }
