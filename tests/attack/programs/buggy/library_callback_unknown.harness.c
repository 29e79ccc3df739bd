#include "library_callback_unknown.c"
static void bad(char *p) { free(p); }
int main(void) { return with_buffer(bad); }
