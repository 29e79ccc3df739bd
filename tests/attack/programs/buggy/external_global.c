// expect: unsafe-or-unknown
// The other file changes a global with external linkage.
#include <stddef.h>

int *shared;
int box;
void refresh(void);

int main(void) {
    shared = &box;
    refresh();
    return *shared;
}
