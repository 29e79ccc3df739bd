// expect: unsafe-or-unknown
// Beyond memory of alloca.
#include <alloca.h>

int main(void) {
    int n = 3;
    int *p = alloca(n * sizeof(int));
    for (int i = 0; i <= n; i++) p[i] = i;
    return p[0];
}
