#include "library_append.c"
int main(void) {
    free(append(NULL, 1));
    return 0;
}
