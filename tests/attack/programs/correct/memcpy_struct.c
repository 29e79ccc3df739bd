// expect: proved-or-unknown
// Structs are copied as bytes, their pointers included.
#include <stdlib.h>
#include <string.h>

struct s { int *p; char tag; };

int main(void) {
    struct s a = {malloc(sizeof(int)), 't'}, b;
    if (!a.p) return 1;
    *a.p = 5;
    memcpy(&b, &a, sizeof b);
    int v = *b.p;
    free(b.p);
    return v == 5 ? 0 : 1;
}
