#include "library_static_buffer.c"
int main(void) { return report(1); }
