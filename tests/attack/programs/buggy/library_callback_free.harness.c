#include "library_callback_free.c"
int main(void) { return apply(0); }
