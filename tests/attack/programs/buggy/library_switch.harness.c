#include "library_switch.c"
int main(void) { return choose(2); }
