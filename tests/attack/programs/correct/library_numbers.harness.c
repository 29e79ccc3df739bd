#include "library_numbers.c"
int main(void) { return clamp(5, 0, 3) - 3 + (weekday(4000000000u) > 6); }
