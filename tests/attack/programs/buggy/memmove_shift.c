// expect: unsafe-or-unknown
// memmove goes beyond the end.
#include <string.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    memmove(a + 1, a, sizeof a);
    return a[0];
}
