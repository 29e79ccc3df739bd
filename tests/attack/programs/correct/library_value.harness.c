#include "library_value.c"
int main(void) {
    struct item i = {0, 0};
    return value_or(&i, 1) + value_or(0, 0);
}
