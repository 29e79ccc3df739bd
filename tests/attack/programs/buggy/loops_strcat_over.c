// expect: unsafe-or-unknown
// strcat over: an error that only some of the runs through its loops and
// branches show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[6] = "abc";
    int n = __VERIFIER_nondet_int();
    if (n)
        strcat(a, "d");
    strcat(a, "ef");
    return 0;
}
