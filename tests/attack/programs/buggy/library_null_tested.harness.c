#include "library_null_tested.c"
int main(void) { return value_of(0); }
