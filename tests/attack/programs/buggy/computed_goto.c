// expect: unsafe-or-unknown
// A jump through a table of labels.
#include <stddef.h>

int main(void) {
    int x = 1, *p = &x;
    void *table[] = {&&good, &&bad};
    goto *table[x];
bad:
    p = NULL;
good:
    return *p;
}
