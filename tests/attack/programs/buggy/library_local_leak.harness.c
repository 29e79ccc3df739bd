#include "library_local_leak.c"
int main(void) { return is_palindrome("abc"); }
