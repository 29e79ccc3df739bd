// expect: unsafe-or-unknown
// A destructor frees again after main.
#include <stdlib.h>

static char *name;
__attribute__((destructor)) static void bye(void) { free(name); }

int main(void) {
    name = malloc(6);
    free(name);
    return 0;
}
