// expect: unsafe-or-unknown
// The pointer in the result is lost.
#include <stdlib.h>

struct pair { char *a, *b; };

static struct pair make(void) { return (struct pair){malloc(1), malloc(1)}; }

int main(void) {
    char *a = make().a;
    free(a);
    return 0;
}
