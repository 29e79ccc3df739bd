// expect: unsafe-or-unknown
// The address of a local is kept by the other file, which writes later.
#include <stddef.h>

void watch(char *c);
void poll(void);

int main(void) {
    char c = 1;
    int x = 0, *p = &x;
    watch(&c);
    c = 0;
    poll();
    if (c) p = NULL;
    *p = 1;
    return x;
}
