#include "library_length_plain.c"
int main(void) {
    node a = {1, 0};
    return length(&a) + length(0) - 1;
}
