// expect: unsafe-or-unknown
// Two names for one variable.
#include <stddef.h>

int value = 1;
extern int other_name __attribute__((alias("value")));

int main(void) {
    int a[2] = {0, 0};
    other_name = 7;
    return a[value];
}
