// expect: unsafe-or-unknown
// Two texts together are too long.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *full = malloc(12);
    if (!full) return 1;
    sprintf(full, "%s %s", "Grace", "Hopper");
    free(full);
    return 0;
}
