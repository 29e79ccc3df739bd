// expect: unsafe-or-unknown
// sscanf makes an index out of text.
#include <stdio.h>

int main(void) {
    int k = 0, v[3] = {0};
    sscanf("12", "%d", &k);
    v[k] = 1;
    return 0;
}
