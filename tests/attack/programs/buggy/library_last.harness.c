#include "library_last.c"
int main(void) { return last(NULL); }
