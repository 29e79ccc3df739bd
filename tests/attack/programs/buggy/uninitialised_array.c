// expect: unsafe-or-unknown
// An array of pointers that is filled only in part.
#include <stdlib.h>

int main(void) {
    char *words[3];
    words[0] = calloc(1, 2);
    words[1] = calloc(1, 2);
    for (int i = 0; i < 3; i++) free(words[i]);
    return 0;
}
