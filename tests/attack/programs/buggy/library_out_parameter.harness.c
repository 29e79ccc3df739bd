#include "library_out_parameter.c"
int main(void) { return lookup(-1); }
