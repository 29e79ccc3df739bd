// expect: unsafe-or-unknown
// argv[1] without looking at argc.
#include <string.h>

int main(int argc, char **argv) {
    (void)argc;
    return (int)strlen(argv[1]);
}
