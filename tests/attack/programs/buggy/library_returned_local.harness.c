#include "library_returned_local.c"
int main(void) { return width(1, 2); }
