#include "library_local_array.c"
int main(void) { return sum_of_squares(3); }
