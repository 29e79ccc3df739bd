// expect: unsafe-or-unknown
// obj field: an error that only some of the runs through its loops and branches
// show.
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
struct s {
    int i;
    char *p;
};
int main(void) {
    struct s x = {0, 0};
    char c;
    int n = __VERIFIER_nondet_int();
    struct s *q = &x;
    x.p = &c;
    for (int i = 0; i < n; i++) {
        if (i == 4)
            q->p = 0;
    }
    *x.p = 1;
    return 0;
}
