#include "library_length.c"
int main(void) {
    node a = {1, NULL}, b = {2, &a};
    return length(&b) + length(NULL) - 2;
}
