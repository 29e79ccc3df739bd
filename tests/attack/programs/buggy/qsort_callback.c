// expect: unsafe-or-unknown
// The comparison follows pointers that are NULL.
#include <stdlib.h>
#include <string.h>

static int cmp(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    char *names[3] = {"b", NULL, "a"};
    qsort(names, 3, sizeof *names, cmp);
    return names[0] == NULL;
}
