// expect: unsafe-or-unknown
// An assembler label makes two declarations the same object.
#include <stdio.h>

int counter = 0;
extern int ticks __asm__("counter");

int main(void) {
    int slots[3] = {1, 2, 3};
    ticks = 3;
    printf("%d\n", slots[counter]);
    return 0;
}
