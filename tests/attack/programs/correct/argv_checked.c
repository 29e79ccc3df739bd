// expect: proved-or-unknown
// Arguments are counted before they are used.
#include <string.h>

int main(int argc, char **argv) {
    size_t n = 0;
    for (int i = 1; i < argc; i++) n += strlen(argv[i]);
    return n > 1000;
}
