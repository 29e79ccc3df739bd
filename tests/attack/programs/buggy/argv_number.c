// expect: unsafe-or-unknown
// An argument is an index.
// arguments: 12
#include <stdlib.h>

int main(int argc, char **argv) {
    int a[4] = {0};
    if (argc < 2) return 1;
    return a[atoi(argv[1])];
}
