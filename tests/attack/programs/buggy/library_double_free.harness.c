#include "library_double_free.c"
int main(void) { return work(-1); }
